"""What the tap does to calls changes what a real kubelet does, with the Kubernetes project's test driver unchanged."""

import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import conformance.checks
from conformance.cluster import Cluster, Pod, wait_for
from conformance.cluster.kind import KindBackend
from conformance.cluster.kind.command import run
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.node import KindNode
from conformance.cluster.kind.processes import HostProcess
from conformance.cluster.kubelet import Call, Interceptor, RpcFailed, Send
from conformance.history import Event, History
from conformance.target import Target

PREPARE, UNPREPARE = "NodePrepareResources", "NodeUnprepareResources"
CHECKS = Path(conformance.checks.__file__).parent / "preparation"
RESYNC = 4  # seconds in which the kubelet looks at every pod again


@pytest.fixture(scope="module")
def driver(backend: KindBackend, go_driver_binary: Path) -> Iterator[PodInstallation]:
    made = backend.install(Target.load("kubernetes-test-driver"))
    made.start()
    made.wait_ready()
    yield made
    made.stop()


@pytest.fixture
def node(backend: KindBackend) -> KindNode:
    found = backend.nodes[0]
    assert isinstance(found, KindNode)
    return found


@pytest.fixture
def cluster(backend: KindBackend, driver: PodInstallation, request: pytest.FixtureRequest) -> Iterator[Cluster]:
    name = request.node.name.replace("_", "-")[:60]
    backend.api.create("namespaces", {"metadata": {"name": name}})
    made = Cluster(backend, driver.target, name, CHECKS)
    yield made
    pods = [Pod(made, obj) for obj in backend.api.list("pods", name)["items"]]
    for pod in pods:
        pod.delete(wait=False)
    for pod in pods:  # else the next test would see calls for their claims
        pod.wait_gone()
    backend.api.delete("namespaces", name)


@pytest.fixture
def counted(backend: KindBackend, node: KindNode, driver: PodInstallation) -> Callable[[str], Counter[str]]:
    """How many calls of a method have ended in each gRPC status since the test began, as the kubelet itself counts."""
    before = {method: kubelets_count(node, driver.target.driver_name, method) for method in (PREPARE, UNPREPARE)}
    return lambda method: kubelets_count(node, driver.target.driver_name, method) - before[method]


def test_late(cluster: Cluster, node: KindNode, counted: Callable[[str], Counter[str]]) -> None:
    held, go_on = threading.Event(), threading.Event()

    def late(call: Call, send: Send) -> Any:
        held.set()
        go_on.wait(30)
        return send(call)

    with disturbed(node, PREPARE, late):
        pod = user(cluster)
        assert held.wait(20)
        since = len(cluster.history)
        assert cluster.history.wait("api", lambda e: runs(e, pod), since=since, timeout=RESYNC) is None
        assert waiting(pod) == "ContainerCreating"
        assert calls(cluster, pod, PREPARE) == [], "the driver knows nothing of it yet"
        go_on.set()
        pod.wait_running()
    assert counted(PREPARE) == {"OK": 1}


def test_failed(cluster: Cluster, node: KindNode, counted: Callable[[str], Counter[str]]) -> None:
    with disturbed(node, PREPARE, failing(times=2)):
        pod = user(cluster).wait_running()
    assert "made up by the tap" in str(pod.events())
    assert [event["code"] for event in calls(cluster, pod, PREPARE)] == ["OK"], "the driver was called when it was not"
    assert counted(PREPARE) == {"Unavailable": 2, "OK": 1}


def test_cancelled(
    cluster: Cluster, node: KindNode, driver: PodInstallation, counted: Callable[[str], Counter[str]]
) -> None:
    """While the driver waits for the API server to show it the claim, which is the middle of its work."""
    (instance,) = driver.instances

    def in_the_middle(call: Call, send: Send) -> Any:
        uid = call.request.claims[0].uid  # type: ignore[attr-defined]
        with api_server_halted(node), cut(node, uid, lambda: uid in instance.log_tail(100)):
            return send(call)

    with disturbed(node, PREPARE, only_first(in_the_middle)):
        pod = user(cluster).wait_running()
    assert [event["code"] for event in calls(cluster, pod, PREPARE)] == ["CANCELLED", "OK"]
    assert counted(PREPARE) == {"Canceled": 1, "OK": 1}
    log = instance.log_tail(100)
    assert [line for line in log.splitlines() if "context canceled" in line and "handling request" in line], log


def test_repeated(
    cluster: Cluster, node: KindNode, driver: PodInstallation, counted: Callable[[str], Counter[str]]
) -> None:
    with disturbed(node, PREPARE, twice):
        pod = user(cluster).wait_running()
    first, second = (event["response"] for event in calls(cluster, pod, PREPARE))
    assert first == second
    assert counted(PREPARE) == {"OK": 1}, "one answer for the kubelet"
    answer = cluster.answers(PREPARE, pod.claim("devices").uid)[0]
    assert list(node.container(pod.uid, "main").cdi_ids) == answer.cdi_ids


def test_unprepare(cluster: Cluster, node: KindNode, counted: Callable[[str], Counter[str]]) -> None:
    held, go_on = threading.Event(), threading.Event()

    def late(call: Call, send: Send) -> Any:
        held.set()
        go_on.wait(60)
        return send(call)

    pods = {name: user(cluster, name) for name in ("failed", "late", "repeated")}
    claims = {name: pod.wait_running().claim("devices") for name, pod in pods.items()}
    faults = {"failed": failing(times=1), "late": late, "repeated": twice}
    by_uid = {claims[name].uid: fault for name, fault in faults.items()}

    def each(call: Call, send: Send) -> Any:
        uids = [claim.uid for claim in call.request.claims]  # type: ignore[attr-defined]
        return by_uid[uids[0]](call, send)

    with disturbed(node, UNPREPARE, each):
        for pod in pods.values():
            pod.delete(wait=False)
        assert held.wait(30)
        pods["repeated"].wait_gone()
        pods["failed"].wait_gone()
        assert pods["late"].get()["metadata"]["deletionTimestamp"], "it stays until its claim is unprepared"
        assert node.cdi.devices_for(claims["late"].uid)
        go_on.set()
        pods["late"].wait_gone()
    answered = {
        name: [e["code"] for e in ends(cluster.history, claim.uid, UNPREPARE)] for name, claim in claims.items()
    }
    assert answered == {"failed": ["OK"], "late": ["OK"], "repeated": ["OK", "OK"]}
    assert counted(UNPREPARE) == {"Unavailable": 1, "OK": 3}
    assert [node.cdi.devices_for(claim.uid) for claim in claims.values()] == [[], [], []]


def test_a_killed_drivers_slices_are_wiped_in_30_to_45_seconds(cluster: Cluster, driver: PodInstallation) -> None:
    """The kubelet waits 30 s from the loss of its connection, which is that to the tap."""
    uids = {item["metadata"]["uid"] for item in cluster.slices()}
    since = len(cluster.history)
    with driver.away():
        wiped = cluster.history.wait("api", lambda e: deletes(e, uids), since=since, timeout=90)
    driver.wait_ready()
    killed = next(cluster.history.events("process", lambda e: e["signal"] == "SIGKILL", since))
    assert wiped is not None
    assert 30 <= wiped.time - killed.time < 45
    assert not uids & {item["metadata"]["uid"] for item in cluster.slices()}, "what is there now was published anew"


def user(cluster: Cluster, name: str = "user") -> Pod:
    """A pod with a claim."""
    return cluster.apply("one_pod.yaml", name=name).pod(name)


@contextmanager
def disturbed(node: KindNode, method: str, fault: Interceptor) -> Iterator[None]:
    """Inside the block calls of a method are made by `fault`."""

    def interceptor(call: Call, send: Send) -> Any:
        return fault(call, send) if call.method == method else send(call)

    node.interceptors.append(interceptor)
    try:
        yield
    finally:
        node.interceptors.remove(interceptor)


def failing(times: int) -> Interceptor:
    """Calls that do not reach the driver; those after so many do."""
    left = list(range(times))

    def fail(call: Call, send: Send) -> Any:
        if left:
            left.pop()
            raise RpcFailed("UNAVAILABLE", "made up by the tap")
        return send(call)

    return fail


def only_first(fault: Interceptor) -> Interceptor:
    """The fault for one call; the others are left alone."""
    left = [fault]
    return lambda call, send: left.pop()(call, send) if left else send(call)


def twice(call: Call, send: Send) -> Any:
    send(call)
    return send(call)


@contextmanager
def api_server_halted(node: KindNode) -> Iterator[None]:
    """Inside the block the API server answers nobody."""
    listed = run(["docker", "top", control_plane(node), "-eo", "pid,comm"], "find the API server", timeout=30)
    pid = next(int(line.split()[0]) for line in listed.splitlines() if line.split()[1] == "kube-apiserver")
    process = HostProcess(pid)
    process.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.signal(signal.SIGCONT)


@contextmanager
def cut(node: KindNode, uid: str, begun: Callable[[], bool]) -> Iterator[None]:
    """The call that is made for a claim inside the block is cancelled once the driver has begun with it."""
    caller = threading.get_ident()

    def ended() -> bool:
        node.caller.cancel(caller)
        return bool(ends(node.caller.history, uid, PREPARE))

    def watch() -> None:
        wait_for(begun, "the driver to begin", timeout=20)
        wait_for(ended, "the call to be cancelled", timeout=20)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        watching.join()


def calls(cluster: Cluster, pod: Pod, method: str) -> list[Event]:
    """Calls for the pod's claim that reached the driver and ended."""
    return ends(cluster.history, pod.claim("devices").uid, method)


def ends(history: History, uid: str, method: str) -> list[Event]:
    """Calls for a claim that reached the driver and ended."""

    def wanted(event: Event) -> bool:
        return (event["phase"], event["method"]) == ("end", method) and event["request"]["claims"][0]["uid"] == uid

    return list(history.events("rpc", wanted))


def control_plane(node: KindNode) -> str:
    """The node with the control plane in the same cluster."""
    return re.sub(r"-worker\d*$", "-control-plane", node.name)


def kubelets_count(node: KindNode, driver: str, method: str) -> Counter[str]:
    """Calls by gRPC status, from the kubelet's metrics."""
    kubectl = ["docker", "exec", control_plane(node), "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf"]
    path = f"/api/v1/nodes/{node.name}/proxy/metrics"
    text = run([*kubectl, "get", "--raw", path], "read the kubelet's metrics", timeout=30)
    found: Counter[str] = Counter()
    for labels, value in re.findall(r"^dra_grpc_operations_duration_seconds_count\{(.*)\} (\S+)$", text, re.MULTILINE):
        label = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        if label["driver_name"] == driver and label["method_name"].endswith(f"/{method}"):
            found[label["grpc_status_code"]] += int(float(value))
    return found


def waiting(pod: Pod) -> str:
    """Why its container does not run."""
    (status,) = pod.get()["status"]["containerStatuses"]
    return str(status["state"]["waiting"]["reason"])


def runs(event: Event, pod: Pod) -> bool:
    """Whether the event says that the pod runs."""
    obj = event["object"]
    return bool(obj["metadata"]["uid"] == pod.uid and (obj.get("status") or {}).get("phase") == "Running")


def deletes(event: Event, uids: set[str]) -> bool:
    """Whether the event says that one of these objects is gone."""
    return event["type"] == "DELETED" and event["object"]["metadata"]["uid"] in uids
