"""The embedded cluster with a driver on it: up, installed, ready, used, disturbed, and gone again."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3

from conformance.cluster import Cluster, Pod, wait_for
from conformance.cluster.api import Api, ApiError, NotFound
from conformance.cluster.embedded import EmbeddedBackend
from conformance.cluster.kubelet import Kubelet
from conformance.cluster.local.installation import LocalInstallation
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive, WaitTimeout

REFERENCE = Target.load("reference")


@pytest.fixture
def backend(run_dir: Path, tmp_path: Path) -> Iterator[EmbeddedBackend]:
    backend = EmbeddedBackend(run_dir, History(), log_dir=tmp_path / "logs")
    backend.start()
    yield backend
    backend.stop()


@pytest.fixture
def driver(backend: EmbeddedBackend) -> LocalInstallation:
    """The reference driver, ready."""
    installation = backend.install(REFERENCE)
    installation.start()
    installation.wait_ready()
    return installation


def target(folder: Path, command: str, name: str = "gpu.example.com") -> Target:
    path = folder / "wrong.yaml"
    path.write_text(f"drivers: [{{name: {name}}}]\nprocess: {{command: {command}}}\nlimits: {{ready: 0.5, stop: 5}}\n")
    return Target.load(str(path))


def pod_with_claim(cluster: Cluster, name: str) -> Pod:
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name},
        "spec": cluster.target.claim_spec(),
    }
    container = {"name": "main", "image": cluster.backend.image, "resources": {"claims": [{"name": "devices"}]}}
    spec = {"containers": [container], "resourceClaims": [{"name": "devices", "resourceClaimName": name}]}
    cluster.create(claim)
    return Pod(cluster, cluster.create({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}))


def test_it_is_up_in_under_a_second_and_leaves_nothing(run_dir: Path, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    backend = EmbeddedBackend(run_dir, History(), log_dir=tmp_path)
    started = time.monotonic()
    backend.start()
    assert time.monotonic() - started < 2  # under one on a machine that has nothing else to do
    assert [node["metadata"]["name"] for node in backend.api.list("nodes")["items"]] == ["node-a"]
    assert backend.describe()["kubernetes"] == "v1.37.2"
    backend.stop()
    backend.stop()
    left = [thread.name for thread in set(threading.enumerate()) - before if thread.is_alive()]
    assert [name for name in left if not name.startswith("spawner")] == []


def test_metrics_of_a_node_through_the_api_server(backend: EmbeddedBackend) -> None:
    def page(node: str, path: str) -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {access.token}"}
        with urllib3.PoolManager(ssl_context=access.ssl_context(), retries=False) as pool:
            answer = pool.request("GET", f"{access.server}/api/v1/nodes/{node}/proxy{path}", headers=headers)
        return answer.status, answer.data.decode()

    access = backend.administrator
    status, text = page("node-a", "/metrics")
    assert (status, 'dra_resource_claims_in_use{driver_name="<any>"} 0' in text) == (200, True)
    assert page("node-a", "/nothing")[0] == 404
    assert page("node-z", "/metrics")[0] == 404
    kubelet = backend.nodes[0]
    assert isinstance(kubelet, Kubelet)
    kubelet.stop()
    assert page("node-a", "/metrics")[0] == 503


def test_a_start_that_fails_takes_down_what_was_up(run_dir: Path, tmp_path: Path) -> None:
    (run_dir / "a").write_text("where the node's folder should be")
    before = set(threading.enumerate())
    backend = EmbeddedBackend(run_dir, History(), log_dir=tmp_path)
    with pytest.raises(Inconclusive, match="the embedded cluster did not start: "):
        backend.start()
    assert {thread.name for thread in set(threading.enumerate()) - before if thread.is_alive()} == set()


def test_a_pod_runs_with_what_the_driver_prepared(driver: LocalInstallation, backend: EmbeddedBackend) -> None:
    cluster = Cluster(backend, REFERENCE, "default", Path())
    pod = pod_with_claim(cluster, "one")
    pod.wait_running()
    claim = pod.claim("devices")
    facts = [
        {"driver": d.driver, "pool": d.pool, "device": d.device, "request": d.request, "claim_uid": claim.uid}
        for d in claim.devices()
    ]
    assert facts
    assert REFERENCE.container_expectation.unmet(facts, **pod.container().seen()) == []
    pod.delete()
    wait_for(lambda: not claim.devices(), "the claim to be free again", timeout=5)


def test_a_class_that_a_manifest_brings_is_left_alone(backend: EmbeddedBackend, tmp_path: Path) -> None:
    mine = target(tmp_path, "[sleep, '60']")
    (tmp_path / "class.yaml").write_text(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.example.com}\nspec: {}\n"
    )
    text = mine.path.read_text() + "manifests: [class.yaml]\n"
    mine.path.write_text(text)
    backend.install(Target.load(str(mine.path)))
    assert "selectors" not in backend.api.get("deviceclasses", "gpu.example.com")["spec"]


def test_claims_can_be_hidden_from_the_driver_alone(backend: EmbeddedBackend) -> None:
    backend.install(REFERENCE)
    claim = {"metadata": {"name": "one"}, "spec": REFERENCE.claim_spec()}
    backend.api.create("resourceclaims", claim, "default")
    driver = Api.from_kubeconfig(backend.kubeconfig)
    with backend.hide_claims():
        with pytest.raises(NotFound):
            driver.get("resourceclaims", "one", "default")
        assert backend.api.get("resourceclaims", "one", "default")["metadata"]["name"] == "one"
    assert driver.get("resourceclaims", "one", "default")["metadata"]["name"] == "one"


def test_writes_of_the_driver_can_be_refused(backend: EmbeddedBackend) -> None:
    driver = Api.from_kubeconfig(backend.kubeconfig)
    spec = {
        "driver": "gpu.example.com",
        "allNodes": True,
        "pool": {"name": "a", "resourceSliceCount": 1},
        "devices": [],
    }
    with backend.refuse_writes("resourceslices"):
        with pytest.raises(ApiError, match="injected"):
            driver.create("resourceslices", {"metadata": {"name": "mine"}, "spec": spec})
        backend.api.create("resourceslices", {"metadata": {"name": "ours"}, "spec": spec})
    driver.create("resourceslices", {"metadata": {"name": "mine"}, "spec": spec})


def test_restart_keeps_the_pod_and_makes_another_process(driver: LocalInstallation) -> None:
    first = driver.instances[0]
    again = driver.restart()
    assert first.exit_status == -9
    assert again.uid == first.uid
    assert [instance.uid for instance in driver.instances] == [first.uid]


def test_while_the_driver_is_away_none_lives_and_afterwards_one_of_a_new_pod(driver: LocalInstallation) -> None:
    (old,) = driver.instances
    with driver.away():
        assert driver.instances == []
    (new,) = driver.instances
    assert new.uid != old.uid
    driver.wait_ready()


def test_inside_a_roll_out_both_instances_live_and_afterwards_the_new_one(driver: LocalInstallation) -> None:
    with driver.roll_out() as (old, new):
        assert old.alive
        assert new.alive
        assert old.uid != new.uid
        driver.node.wait_registered("gpu.example.com", count=2)
    assert old.exit_status == 0
    assert driver.instances == [new]


def test_restore_brings_back_exactly_one_ready_instance(driver: LocalInstallation) -> None:
    driver.start()
    driver.restore()
    assert len(driver.instances) == 1
    driver.instances[0].kill()
    driver.restore()
    assert len(driver.instances) == 1
    driver.wait_ready(timeout=0)


def test_stopping_ends_the_driver(driver: LocalInstallation, backend: EmbeddedBackend) -> None:
    process = driver.instances[0].process
    backend.stop()
    assert process.exit_status == 0
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            "[sh, -c, 'echo no such file >&2; exit 3']",
            r"the command ended with status 3; its log .* ends with:\nno such",
        ),
        ("[sleep, '60']", r"no registration socket appeared in .*/k/plugins_registry; it logged nothing"),
    ],
)
def test_a_driver_that_does_not_get_ready_is_diagnosed(
    backend: EmbeddedBackend, tmp_path: Path, command: str, says: str
) -> None:
    installation = backend.install(target(tmp_path, command))
    installation.start()
    with pytest.raises(WaitTimeout, match=says):
        installation.wait_ready()


def test_a_driver_that_ended_is_not_waited_for(backend: EmbeddedBackend, tmp_path: Path) -> None:
    installation = backend.install(target(tmp_path, "['false']"))
    started = time.monotonic()
    installation.start()
    with pytest.raises(WaitTimeout, match="the command ended with status 1; it logged nothing"):
        installation.wait_ready(timeout=30)
    assert time.monotonic() - started < 5


def test_a_driver_under_another_name_is_told_so(backend: EmbeddedBackend, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(REFERENCE.path.read_text().replace("name: gpu.example.com", "name: fpga.example.com"))
    installation = backend.install(Target.load(str(other)))
    installation.start()
    assert backend.history.wait("kubelet", lambda event: event["action"] == "registered", timeout=20)
    with pytest.raises(
        WaitTimeout, match=r"it calls itself 'gpu\.example\.com'; write that name into drivers\[\]\.name"
    ):
        installation.wait_ready(timeout=0.1)


def test_checks_elsewhere_may_use_the_manifests_of_the_suite(backend: EmbeddedBackend, tmp_path: Path) -> None:
    applied = Cluster(backend, REFERENCE, "default", tmp_path / "my_checks").apply("one_pod.yaml")
    assert applied.pod("user").get()["metadata"]["namespace"] == "default"


def test_a_driver_that_worked_and_ends_by_itself_is_started_again(driver: LocalInstallation) -> None:
    driver.wait_ready()
    first = driver.instances[0]
    os.kill(first.process.pid, signal.SIGKILL)  # not by the installation: as if it had crashed
    wait_for(lambda: driver.instances and driver.instances != [first], "the driver to be started again", timeout=10)
    driver.wait_ready()
    assert [instance.uid for instance in driver.instances] == [first.uid], "as the same pod"


def test_an_unknown_variable_of_a_manifest_is_told_with_file_and_known_ones(
    backend: EmbeddedBackend, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text("kind: Pod\nmetadata: {name: ${drivr}}\n")
    with pytest.raises(
        Inconclusive, match=r"mine\.yaml has the unknown variable \$\{drivr\}; known are .*\$\{driver\}"
    ):
        Cluster(backend, REFERENCE, "default", tmp_path).apply("mine.yaml")
