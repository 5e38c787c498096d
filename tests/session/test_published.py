"""Whether a driver has published a device, as the history of its run tells."""

from pathlib import Path

import pytest

from conformance.history import History
from conformance.published import has_published
from conformance.report.model import Outcome
from tests.session.project import Project

DRIVER = "gpu.example.com"


def recorded(file: Path, *events: tuple[str, str, object]) -> Path:
    """A history with these events, each about a resource, with more about it."""
    history = History(file)
    for kind, resource, more in events:
        history.record(kind, resource=resource, **({"object": more} if kind == "api" else {"verb": more}))
    history.close()
    return file


def a_slice(driver: str, *devices: str) -> object:
    return {"metadata": {"name": "s"}, "spec": {"driver": driver, "devices": [{"name": name} for name in devices]}}


@pytest.mark.parametrize(
    ("events", "published"),
    [
        ([], False),
        ([("api", "resourceslices", a_slice(DRIVER, "gpu-0"))], True),
        ([("api", "resourceslices", a_slice(DRIVER))], False),
        ([("api", "resourceslices", a_slice("nic.example.com", "nic-0"))], False),
        ([("api", "resourceslices", {"metadata": {"name": "s"}, "spec": {"driver": DRIVER}})], False),
        ([("request", "resourceslices", "create"), ("api", "pods", {"metadata": {"name": "p"}})], False),
        ([("request", "resourceslices", "create"), ("api", "resourceslices", a_slice(DRIVER, "gpu-0"))], True),
    ],
)
def test_only_a_device_of_the_driver_counts(
    events: list[tuple[str, str, object]], published: bool, tmp_path: Path
) -> None:
    assert has_published(recorded(tmp_path / "history.jsonl", *events), DRIVER) is published


REGISTERS = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers, and that is all that is looked at."
    expect("REG-01").true(True, "it does")
"""


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_a_driver_that_publishes_after_its_check_has_ended_is_waited_for(project: Project, workers: str) -> None:
    """One check of registration alone is over sooner than a driver has published, and that is nobody's fault."""
    project.suite(REGISTERS)
    project.env["FAKE_DRIVER"] = "late"
    ended = project.run_apart(workers, "--check=registration.registers")
    assert ended.returncode == 0, ended.stdout
    assert project.report().outcome is Outcome.SELECTION


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_one_that_never_does_is_waited_for_as_long_as_its_file_says(project: Project, workers: str) -> None:
    project.suite(REGISTERS)
    driver = project.folder / "fake.yaml"
    driver.write_text(f"{driver.read_text()}limits: {{ready: 0.2}}\n")
    project.env["FAKE_DRIVER"] = "empty"
    assert project.run_apart(workers, "--check=registration.registers").returncode == 6
    assert project.report().reason == "the driver has published no device"


def test_without_a_history_nothing_was_published(tmp_path: Path) -> None:
    assert not has_published(tmp_path / "history.jsonl", DRIVER)
