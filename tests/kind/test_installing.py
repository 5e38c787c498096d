"""A driver installed in other ways than the reference's manifests do it, on a real cluster."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import conformance.checks
from conformance.cluster import Cluster, wait_for
from conformance.cluster.kind import KindBackend
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.manifests import Applier, objects_of
from conformance.cluster.kind.node import SHADOW, KindNode
from conformance.target import Target
from conformance.target.load import drivers_folder

CHECKS = Path(conformance.checks.__file__).parent
ROOT = Path(__file__).parents[2]
BOOT_ID = "/proc/sys/kernel/random/boot_id"
THIS, NEXT = (f"dra-conformance/reference-driver:{version}" for version in ("0.1.0", "0.2.0"))


@pytest.fixture
def namespace(backend: KindBackend, request: pytest.FixtureRequest) -> Iterator[str]:
    name = request.node.name.replace("_", "-")[:60]
    backend.api.create("namespaces", {"metadata": {"name": name}})
    yield name
    backend.api.delete("namespaces", name)


def driver_file(folder: Path, install: dict[str, Any]) -> Target:
    """The reference's driver file with another section `install`."""
    file = yaml.safe_load((drivers_folder() / "reference.yaml").read_text(encoding="utf-8"))
    file["install"] |= install
    path = folder / "driver.yaml"
    path.write_text(yaml.safe_dump(file))
    return Target.load(str(path))


def installed(backend: KindBackend, target: Target) -> PodInstallation:
    """A driver in the place of that which was there, ready."""
    made = backend.install(target)
    for instance in made.instances:  # of before: it registered long ago, and would never count as ready
        instance.delete_pod()
    made.restore()
    return made


def whole_folder(folder: Path) -> Path:
    """The reference's manifests, but the kubelet's folder mounted as a whole, by a Deployment."""
    objects = objects_of(Target.load("reference"))
    workload = next(obj for obj in objects if obj["kind"] == "DaemonSet")
    spec = workload["spec"]["template"]["spec"]
    spec["containers"][0]["volumeMounts"] = [
        {"name": "kubelet", "mountPath": "/var/lib/kubelet"},
        {"name": "cdi", "mountPath": "/var/run/cdi"},
    ]
    spec["volumes"] = [
        {"name": "kubelet", "hostPath": {"path": "/var/lib/kubelet/"}},
        {"name": "cdi", "hostPath": {"path": "/var/run/cdi", "type": "DirectoryOrCreate"}},
    ]
    spec["topologySpreadConstraints"] = [
        {
            "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": workload["spec"]["selector"],
        }
    ]
    workload |= {"kind": "Deployment"}
    workload["spec"] |= {"replicas": 2, "strategy": {"type": "Recreate"}}
    del workload["spec"]["updateStrategy"]
    path = folder / "manifests.yaml"
    path.write_text(yaml.safe_dump_all(objects))
    return path


@pytest.fixture
def without_reference(backend: KindBackend, installation: PodInstallation) -> Iterator[None]:
    """The reference driver's DaemonSet is not there; afterwards it is again."""
    daemonset = next(obj for obj in installation.objects if obj["kind"] == "DaemonSet")
    Applier(backend.api).remove([daemonset])
    yield
    installed(backend, installation.target)


def test_the_tap_sees_a_driver_that_mounts_the_kubelets_whole_folder(
    backend: KindBackend, without_reference: None, namespace: str, tmp_path: Path
) -> None:
    path = whole_folder(tmp_path)
    target = driver_file(tmp_path, {"manifests": [path.name]})
    made = installed(backend, target)
    try:
        assert not made.trouble()
        cluster = Cluster(backend, target, namespace, CHECKS)
        pod = cluster.apply("one_pod.yaml", name="user").pod("user").wait_running()
        assert cluster.answers("NodePrepareResources", pod.claim("devices").uid)
        spec = backend.api.get("pods", made.instances[0].pod.name, "gpu-driver")["spec"]
        assert [v["hostPath"]["path"] for v in spec["volumes"] if v["name"] == "dra-conformance-tap"] == [str(SHADOW)]
        pod.delete()
    finally:
        Applier(backend.api).remove([obj for obj in made.objects if obj["kind"] == "Deployment"])


def test_the_next_version_of_a_chart_is_rolled_out_and_taken_back(
    backend: KindBackend, without_reference: None, namespace: str
) -> None:
    target = Target.load(str(ROOT / "examples" / "helm-chart.yaml"))
    made = installed(backend, target)
    try:
        Cluster(backend, target, namespace, CHECKS).apply("one_pod.yaml", name="user").pod("user").wait_running()
        with made.roll_out() as (old, new):
            assert old.alive
            assert _images(backend, made) == {old.uid: THIS, new.uid: NEXT}
        assert [one.uid for one in made.instances] == [new.uid]
        made.restore()
        (back,) = made.instances
        assert _images(backend, made)[back.uid] == THIS
        backend.api.delete("pods", "user", namespace)
    finally:
        Applier(backend.api).remove([obj for obj in made.objects if obj["kind"] == "DaemonSet"])


def test_what_the_driver_asks_the_api_server_is_seen(backend: KindBackend, installation: PodInstallation) -> None:
    installation.restart()
    event = wait_for(
        lambda: backend.history.last("request", lambda e: e["resource"] == "resourceslices" and e["verb"] == "list"),
        "a request of the driver",
        timeout=10,
    )
    assert event["user"] == "gpu-driver:gpu-driver"
    assert event["node"] in {node.name for node in backend.nodes}


def test_the_boot_id_is_that_of_the_machine(backend: KindBackend, installation: PodInstallation) -> None:
    """Which is why nodes here say that a reboot does not change it."""
    node = backend.nodes[0]
    assert isinstance(node, KindNode)
    assert not node.changes_boot_id
    here = Path(BOOT_ID).read_text()
    assert node.exec("cat", BOOT_ID, what="read the boot id") == here
    read = ("python3", "-S", "-c", f"print(open({BOOT_ID!r}).read(), end='')")
    assert node.exec("crictl", "exec", installation.instances[0].container_id, *read, what="read the boot id") == here


def _images(backend: KindBackend, installation: PodInstallation) -> dict[str, str]:
    pods = backend.api.list("pods", "gpu-driver")["items"]
    uids = {one.uid for one in installation.instances}
    return {
        pod["metadata"]["uid"]: pod["spec"]["containers"][0]["image"] for pod in pods if pod["metadata"]["uid"] in uids
    }
