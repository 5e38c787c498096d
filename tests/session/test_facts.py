"""What a report says about suite, driver and cluster beyond what the checks have seen."""

from typing import Any

import pytest

from conformance.cluster.api import ApiError
from conformance.cluster.facts import feature_gates, images
from tests.session.project import Project

METRICS = """\
# HELP kubernetes_feature_enabled [BETA] This metric records the data about the stage and enablement of a k8s feature.
kubernetes_feature_enabled{name="DRAAdminAccess",stage="BETA"} 1
kubernetes_feature_enabled{name="DRAConsumableCapacity",stage="ALPHA"} 0
kubernetes_feature_enabled{name="DynamicResourceAllocation",stage=""} 1
kubernetes_feature_enabled{name="WatchList",stage="BETA"} 1"""


class Server:
    """An API server with one pod and its metrics."""

    def __init__(self, metrics: str | None = METRICS) -> None:
        self.metrics = metrics

    def request(self, method: str, path: str) -> dict[str, Any]:
        if self.metrics is None:
            raise ApiError.of({"code": 403, "reason": "Forbidden", "message": f"{method} {path} is forbidden"})
        return {"message": self.metrics}

    def list(self, resource: str, *, field_selector: str) -> dict[str, Any]:
        self.request("GET", resource)
        assert (resource, field_selector) == ("pods", "spec.nodeName=node-a")
        status = {"image": "ghcr.io/gpu:1.2", "imageID": "ghcr.io/gpu@sha256:0a1b"}
        other = {"image": "busybox", "imageID": ""}
        statuses = {"driver": status, "other": other}
        pods = [{"metadata": {"uid": uid}, "status": {"containerStatuses": [each]}} for uid, each in statuses.items()]
        return {"items": pods}


def test_gates_of_dra_that_are_on_are_read_from_the_metrics() -> None:
    server: Any = Server()
    assert feature_gates(server) == ["DRAAdminAccess", "DynamicResourceAllocation"]


def test_gates_are_unknown_where_the_metrics_may_not_be_read() -> None:
    server: Any = Server(metrics=None)
    assert feature_gates(server) == []


def test_images_of_the_drivers_pods_have_their_digests() -> None:
    server: Any = Server()
    assert images(server, "node-a", ["driver"]) == {"ghcr.io/gpu:1.2": "ghcr.io/gpu@sha256:0a1b"}
    assert images(server, "node-a", ["pod-of-somebody"]) == {}
    forbidding: Any = Server(metrics=None)
    assert images(forbidding, "node-a", ["driver"]) == {}


PASSES_AT_LAST = """
tries = []

@check(id="preparation.flaky", covers=["PREP-01", "PREP-02"])
def test_flaky(expect, driver):
    "The harness is unlucky at first."
    tries.append(1)
    if len(tries) == 1:
        raise KeyError("harness")
    expect("PREP-01").true(True, "it holds")
    expect("PREP-02").true(True, "it holds")

@check(id="preparation.broken_once", covers=["PREP-05"])
def test_broken_once(expect, driver):
    "The driver breaks a MUST at first."
    tries.append(1)
    expect("PREP-05").equal(len(tries) % 2, 0, "a repeated Prepare succeeds")
"""
AGAIN = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for _ in range(2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
"""


def test_a_broken_must_is_not_mended_by_trying_again(project: Project) -> None:
    from conformance.report.verify import verify

    project.suite(PASSES_AT_LAST)
    project.file("again.py", AGAIN)
    assert project.run("-p", "again").returncode == 1
    flaky, broken = project.result("preparation.flaky"), project.result("preparation.broken_once")
    assert (flaky.verdict, flaky.attempts) == ("PASS", 2)
    assert (broken.verdict, broken.attempts) == ("FAIL", 2)
    assert verify(project.report_dir).problems == []


@pytest.mark.parametrize(
    ("section", "version"),
    [
        ("python: {package: my-driver, version: 1.4.2}", "1.4.2"),
        ("install: {charts: [{chart: gpu, version: 25.12.0}]}", "25.12.0"),
        ("", ""),
    ],
)
def test_the_version_of_a_driver_is_what_its_file_says(section: str, version: str, project: Project) -> None:
    from conformance.session.results import driver_version
    from conformance.target import Target

    file = project.folder / "fake.yaml"
    file.write_text(f"{file.read_text()}{section}\n")
    assert driver_version(Target.load(str(file)), {}) == version
    assert driver_version(Target.load(str(file)), {"ghcr.io:443/gpu:2.0@sha256:0a1b": ""}) == (version or "2.0")


def test_the_suite_is_told_by_its_commit_and_its_code(project: Project) -> None:
    project.suite("")
    project.run()
    suite = project.report().suite
    assert len(suite.digest) == len(suite.catalogue) == 64
    assert suite.digest != suite.catalogue


def test_a_cluster_that_has_gone_away_is_no_failure_of_the_harness(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_BACKEND", "away")
    project.suite("""
        @check(id="preparation.good", covers=["PREP-01"])
        def test_good(expect, driver):
            "It holds."
            expect("PREP-01").true(True, "it holds")
    """)
    done = project.run()
    assert (done.returncode, project.report().cluster) == (0, {}), done.stdout
