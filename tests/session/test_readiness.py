"""Which checks begin before the driver is ready, and what they get of one that never is."""

import pytest

from conformance.session.gate import cluster_gives
from tests.session.project import Project

SUITE = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").true(True, "it does")

@check(id="publishing.pool_complete", covers=["RS-01"], needs=["registration.registers"])
def test_pool_complete(expect, driver):
    "It publishes."
    expect("RS-01").true(True, "it does")

@check(id="publishing.node_owner", covers=["RS-03"], needs=["publishing.pool_complete"])
def test_node_owner(expect, driver):
    "Slices name the node."
    expect("RS-03").true(True, "they do")

@check(id="publishing.other", covers=["RS-03"], needs=["publishing.pool_complete"])
def test_other(expect, driver):
    "And so on."
    expect("RS-03").true(True, "they do")
"""


def waits(project: Project) -> int:
    return len([row for row in project.history("disturb") if row["action"].startswith("wait_ready")])


def test_checks_of_the_start_do_not_wait(project: Project) -> None:
    project.suite(SUITE)
    project.run("--check=registration.registers", "--check=publishing.pool_complete")
    assert waits(project) == 0


def test_what_builds_on_publishing_waits_also_when_it_is_run_alone(project: Project) -> None:
    project.suite(SUITE)
    project.run("--check=publishing.node_owner")
    assert waits(project) > 0
    assert project.result("publishing.node_owner").verdict == "PASS"


def test_a_driver_that_never_is_ready_is_judged_and_waited_for_once(project: Project) -> None:
    project.env["FAKE_DRIVER"] = "dead"
    project.suite(SUITE)
    project.run()
    assert waits(project) == 1
    assert [result.verdict for result in project.report().checks] == ["PASS"] * 4


@pytest.mark.parametrize(
    ("required", "kind", "verdict"),
    [
        ("nri", "embedded", "NOT_RUN"),
        ("webhook", "control-plane", "NOT_RUN"),
        ("device", "embedded", "PASS"),
        ("crd", "control-plane", "PASS"),
    ],
)
def test_a_driver_is_not_judged_where_what_it_requires_cannot_be(
    project: Project, required: str, kind: str, verdict: str
) -> None:
    driver = project.folder / "fake.yaml"
    driver.write_text(f"requires: [{required}]\n{driver.read_text()}")
    project.suite(SUITE)
    project.run(f"--cluster={kind}", "--check=registration.registers")
    result = project.result("registration.registers")
    assert result.verdict == verdict
    assert (required in result.message) is (verdict == "NOT_RUN")


@pytest.mark.parametrize("kind", ["kind", "existing"])
def test_clusters_with_a_runtime_may_have_whatever_is_required(kind: str) -> None:
    cluster_gives(kind, ["device", "nri", "crd", "webhook", "kernel-module"])
