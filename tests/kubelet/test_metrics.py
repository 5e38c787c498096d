"""The kubelet's metrics, as its HTTP endpoint has them."""

import urllib3

from conformance.verdict import Inconclusive

from .metrics import metric
from .world import DRIVER, World

SERVICE = "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin"


def operations(name: str, failed: bool) -> str:
    return f'dra_operations_duration_seconds_count{{operation_name="{name}",is_error="{str(failed).lower()}"}}'


def calls(method: str, code: str) -> str:
    labels = f'driver_name="{DRIVER}",method_name="{SERVICE}/{method}",grpc_status_code="{code}"'
    return f"dra_grpc_operations_duration_seconds_count{{{labels}}}"


def in_use(driver: str) -> str:
    return f'dra_resource_claims_in_use{{driver_name="{driver}"}}'


def test_operations_calls_and_claims_are_counted(world: World) -> None:
    world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    assert metric(world, in_use("<any>")) == 0
    world.pod("p", "c")
    world.running("p")
    assert (metric(world, in_use(DRIVER)), metric(world, in_use("<any>"))) == (1, 1)
    world.api.delete("pods", "p", "ns")
    world.happened("pod_gone")
    for name in ("PrepareResources", "UnprepareResources"):
        assert (metric(world, operations(name, failed=False)), metric(world, operations(name, failed=True))) == (
            1,
            None,
        )
        assert metric(world, calls(f"Node{name}", "OK")) == 1
    assert (metric(world, in_use(DRIVER)), metric(world, in_use("<any>"))) == (None, 0)


def test_failures_are_told_apart(world: World) -> None:
    plugin = world.registered()
    claim = world.claim("c", pods=("p",))
    plugin.prepare_errors[claim.uid] = "no"
    world.pod("p", "c")
    world.happened("prepare_failed")
    assert (metric(world, operations("PrepareResources", failed=True)) or 0) >= 1
    assert (metric(world, calls("NodePrepareResources", "OK")) or 0) >= 1, "the call itself has succeeded"
    assert metric(world, in_use(DRIVER)) is None


def test_calls_of_checks_are_not_the_kubelets(world: World) -> None:
    world.registered()
    world.kubelet.prepare(world.claim("c"))
    assert metric(world, calls("NodePrepareResources", "OK")) is None


def test_sockets_by_what_they_should_be_and_are(world: World) -> None:
    refused = world.plugin("refused.example.com", type="wrong")
    good = world.registered()
    refused.wait(lambda: bool(refused.notified))

    def plugins(socket: object, state: str) -> float | None:
        return metric(world, f'plugin_manager_total_plugins{{socket_path="{socket}",state="{state}_state_of_world"}}')

    states = ("desired", "actual")
    assert [plugins(good.registration_socket, state) for state in states] == [1, 1]
    assert [plugins(refused.registration_socket, state) for state in states] == [1, None]


def test_the_text_is_that_of_prometheus(world: World) -> None:
    world.registered()
    claim = world.claim("c", pods=("p",))
    world.cdi_spec(claim.uid)
    world.pod("p", "c")
    world.running("p")
    lines = urllib3.request("GET", world.kubelet.metrics_url).data.decode().splitlines()
    assert "# TYPE dra_operations_duration_seconds histogram" in lines
    assert "# TYPE dra_resource_claims_in_use gauge" in lines
    buckets = [line for line in lines if line.startswith("dra_operations_duration_seconds_bucket")]
    bounds = [line.split('le="')[1].partition('"')[0] for line in buckets]
    assert (len(buckets), bounds[0], bounds[-2:]) == (16, "0.1", ["40", "+Inf"])
    assert [int(line.rpartition(" ")[2]) for line in buckets] == sorted(
        int(line.rpartition(" ")[2]) for line in buckets
    )


def test_the_port_is_in_the_node_and_goes_with_the_kubelet(world: World) -> None:
    port = world.api.get("nodes", "node-a")["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"]
    url = f"http://127.0.0.1:{port}"
    assert world.kubelet.metrics_url == f"{url}/metrics"
    assert urllib3.request("GET", f"{url}/healthz").data == b"ok"
    assert urllib3.request("GET", f"{url}/pods").status == 404
    world.kubelet.stop()
    for ask in (lambda: world.kubelet.metrics_url, lambda: urllib3.request("GET", f"{url}/metrics", retries=False)):
        try:
            ask()
        except (Inconclusive, urllib3.exceptions.HTTPError):
            continue
        raise AssertionError("a stopped kubelet has no metrics")
