"""The control-plane cluster: what the driver may do there, what is recorded, and that nothing is left."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.cluster import Cluster, wait_for
from conformance.cluster.api import Api, Forbidden, NotFound
from conformance.cluster.binaries import PROGRAMS, Binaries
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.local.installation import LocalInstallation
from conformance.history import Event, History
from conformance.session.rundir import RunDir
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive
from tests.control_plane.conftest import processes_of
from tests.embedded_backend.test_backend import pod_with_claim

REFERENCE = Target.load("reference")


@pytest.fixture(scope="module")
def driver(backend: ControlPlaneBackend) -> LocalInstallation:
    """The reference driver, ready."""
    installation = backend.install(REFERENCE)
    installation.start()
    installation.wait_ready()
    return installation


def target(folder: Path, manifest: str) -> Target:
    path = folder / "mine.yaml"
    path.write_text("drivers: [{name: mine.example.com}]\nprocess: {command: [sleep, '60']}\nmanifests: [all.yaml]\n")
    (folder / "all.yaml").write_text(manifest)
    return Target.load(str(path))


def test_a_pod_runs_and_what_happened_is_in_the_history(
    driver: LocalInstallation, backend: ControlPlaneBackend
) -> None:
    cluster = Cluster(backend, REFERENCE, "default", Path())
    pod = pod_with_claim(cluster, "one").wait_running()
    claim = pod.claim("devices")
    assert claim.devices()
    pod.delete()
    wait_for(lambda: not claim.devices(), "the claim to be free again", timeout=20)
    history = backend.history

    def about(resource: str, name: str) -> list[Event]:
        return list(
            history.events("api", lambda e: e["resource"] == resource and e["object"]["metadata"]["name"] == name)
        )

    deleted = history.wait("api", lambda e: e["type"] == "DELETED" and e["resource"] == "pods", timeout=5)
    assert deleted is not None
    types = [event["type"] for event in about("pods", "one")]
    assert (types[0], types[-1], set(types[1:-1])) == ("ADDED", "DELETED", {"MODIFIED"})
    versions = [int(event["object"]["metadata"]["resourceVersion"]) for event in about("resourceclaims", "one")]
    assert versions == sorted(set(versions))
    read = history.last("request", lambda e: e["resource"] == "resourceclaims" and e["name"] == "one")
    assert read is not None
    assert {key: read[key] for key in ("user", "node", "verb", "namespace", "code", "message")} == {
        "user": "driver",
        "node": "node-a",
        "verb": "get",
        "namespace": "default",
        "code": 200,
        "message": "",
    }
    assert {event["user"] for event in history.events("request")} == {"driver"}


def test_claims_can_be_hidden_from_the_driver_alone(backend: ControlPlaneBackend) -> None:
    claim = {"metadata": {"name": "hidden"}, "spec": REFERENCE.claim_spec()}
    backend.api.create("resourceclaims", claim, "default")
    driver = Api.from_kubeconfig(backend.kubeconfig)
    assert driver.get("resourceclaims", "hidden", "default")
    with backend.hide_claims():
        with pytest.raises(Forbidden):
            driver.get("resourceclaims", "hidden", "default")
        assert backend.api.get("resourceclaims", "hidden", "default")
    assert driver.get("resourceclaims", "hidden", "default")
    refused = backend.history.last("request", lambda e: e["name"] == "hidden" and e["code"] == 403)
    assert refused is not None
    assert 'cannot get resource "resourceclaims"' in refused["message"]


def test_writes_of_the_driver_can_be_refused(backend: ControlPlaneBackend) -> None:
    driver = Api.from_kubeconfig(backend.kubeconfig)
    owned = {"driver": "gpu.example.com", "nodeName": "node-a", "pool": {"name": "a", "resourceSliceCount": 1}}
    mine = {"metadata": {"name": "mine"}, "spec": {**owned, "devices": []}}
    with backend.refuse_writes("resourceslices"), pytest.raises(Forbidden):
        driver.create("resourceslices", mine)
    driver.create("resourceslices", mine)
    with suppress(NotFound):  # the kubelet wipes slices of drivers that are not there
        driver.delete("resourceslices", "mine")


def test_the_driver_has_the_rights_of_a_driver(backend: ControlPlaneBackend) -> None:
    driver = Api.from_kubeconfig(backend.kubeconfig)
    assert driver.list("nodes")["items"]
    with pytest.raises(Forbidden):
        driver.list("secrets")
    with pytest.raises(Forbidden):
        driver.delete("nodes", "node-a")
    with pytest.raises(Forbidden):
        driver.create("pods", {"metadata": {"name": "x"}, "spec": {"containers": []}}, "default")


def test_manifests_may_hold_every_kind_that_the_api_server_has(backend: ControlPlaneBackend, tmp_path: Path) -> None:
    manifest = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: urgent}, value: 7}\n"
    backend.install(target(tmp_path, manifest))
    backend.install(target(tmp_path, manifest))
    assert backend.api.request("GET", "/apis/scheduling.k8s.io/v1/priorityclasses/urgent")["value"] == 7
    with pytest.raises(TargetError, match="the API server serves no Gizmo of apiVersion 'example"):
        backend.install(target(tmp_path, "{apiVersion: example.com/v1, kind: Gizmo, metadata: {name: x}}\n"))


def test_describe_names_what_is_there(backend: ControlPlaneBackend, binaries: Binaries) -> None:
    facts = backend.describe()
    assert facts["kind"] == "control-plane"
    assert facts["kubernetes"] == f"v{binaries.version}"
    assert facts["nodes"] == ["node-a"]
    assert {"DRAConsumableCapacity", "DynamicResourceAllocation"} <= set(facts["gates"])


def test_stopping_leaves_nothing(binaries: Binaries, run_dir: Path, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    backend = ControlPlaneBackend(run_dir, History(), binaries=lambda: binaries, log_dir=tmp_path)
    backend.start()
    assert processes_of(run_dir) == sorted(PROGRAMS)
    backend.stop()
    backend.stop()
    assert processes_of(run_dir) == []
    left = [thread.name for thread in set(threading.enumerate()) - before if thread.is_alive()]
    assert [name for name in left if not name.startswith("spawner")] == []


def test_a_program_that_does_not_start_is_named_and_nothing_is_left(
    binaries: Binaries, run_dir: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "kube-apiserver"
    broken.write_text("#!/bin/sh\necho no such flag >&2\nexit 3\n")
    broken.chmod(0o755)
    wrong = Binaries({**binaries.programs, "kube-apiserver": broken}, binaries.version, "")
    backend = ControlPlaneBackend(run_dir, History(), binaries=lambda: wrong, log_dir=tmp_path)
    with pytest.raises(Inconclusive) as caught:
        backend.start()
    assert str(caught.value) == (
        "the control-plane cluster did not start: kube-apiserver ended with status 3; "
        f"its log {tmp_path / 'kube-apiserver.log'} ends with: no such flag"
    )
    assert processes_of(run_dir) == []


HARNESS = """
import sys
from contextlib import suppress
from pathlib import Path
from conformance.cluster.binaries import Wanted, provide
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.history import History
from conformance.session.rundir import RunDir

run = RunDir.create(Path(sys.argv[1]))
backend = ControlPlaneBackend(run.path, History(), binaries=lambda: provide(Wanted(), str), log_dir=run.path / "logs")
backend.start()
print(run.path, flush=True)
sys.stdin.read()
"""


def test_sigkill_of_the_harness_ends_it_all(binaries: Binaries, run_dir: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", HARNESS, str(run_dir)]
    with subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as harness:
        try:
            assert harness.stdout is not None
            folder = Path(harness.stdout.readline().strip())
            assert processes_of(folder) == sorted(PROGRAMS)
        finally:
            harness.send_signal(signal.SIGKILL)
    wait_for(lambda: not processes_of(folder), "all programs to be gone", timeout=10)
    assert folder.exists()
    RunDir.create(run_dir).close()
    assert not folder.exists(), "the next run sweeps what it left"
