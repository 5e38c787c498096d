"""Claims that are allocated to a driver's devices, as the scheduler would have done it."""

from concurrent.futures import ThreadPoolExecutor

from conformance.cluster.api import Api
from conformance.cluster.dra_api import dra_v1_pb2
from tests.bench.driver.node import Node

NAMESPACE = "default"
_REQUEST = "device"


def allocated(api: Api, node: Node, devices: range) -> list[dra_v1_pb2.Claim]:
    """A claim for each of these devices of the node, by number."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda number: _allocated(api, node, number), devices))


def hold(api: Api, node: Node, devices: range) -> None:
    """Have the node hold a claim for each of these devices, prepared."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(node.prepare, allocated(api, node, devices)))


def _allocated(api: Api, node: Node, number: int) -> dra_v1_pb2.Claim:
    request = {"name": _REQUEST, "exactly": {"deviceClassName": node.target.device_class}}
    name = f"{node.name}-{number}"
    claim = api.create(
        "resourceclaims", {"metadata": {"name": name}, "spec": {"devices": {"requests": [request]}}}, NAMESPACE
    )
    result = {"request": _REQUEST, "driver": node.target.driver_name, "pool": node.name, "device": f"gpu-{number}"}
    claim["status"] = {"allocation": {"devices": {"results": [result]}}}
    uid = api.replace_status("resourceclaims", claim)["metadata"]["uid"]
    return dra_v1_pb2.Claim(namespace=NAMESPACE, name=name, uid=uid)
