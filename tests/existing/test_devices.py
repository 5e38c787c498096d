"""What others leave of a driver's devices."""

from typing import Any

from conformance.cluster.existing.devices import claims_free
from conformance.target import Target

TARGET = Target.load("reference")  # eight claims a node, one device each


def slices(devices: int, node: str | None = "node-a", pool: str = "pool-a") -> dict[str, Any]:
    spec: dict[str, Any] = {"driver": TARGET.driver_name, "pool": {"name": pool}}
    spec["devices"] = [{"name": f"gpu-{i}"} for i in range(devices)]
    return {"spec": {**spec, "nodeName": node} if node else spec}


def claim(*devices: str, namespace: str = "somebody", pool: str = "pool-a", **more: Any) -> dict[str, Any]:
    results = [{"driver": TARGET.driver_name, "pool": pool, "device": name, **more} for name in devices]
    allocation = {"devices": {"results": results}}
    return {"metadata": {"namespace": namespace}, "status": {"allocation": allocation}}


def free(claims: list[dict[str, Any]], *published: dict[str, Any]) -> int:
    return claims_free(TARGET, "node-a", published or (slices(8),), claims, {"ours"})


def test_nobody_uses_any() -> None:
    assert free([]) == 8
    assert free([{"metadata": {"namespace": "somebody"}}]) == 8


def test_each_device_in_use_is_one_claim_less() -> None:
    assert free([claim("gpu-0")]) == 7
    assert free([claim("gpu-0", "gpu-1"), claim("gpu-1")]) == 6
    assert free([claim(*(f"gpu-{i}" for i in range(8)))]) == 0


def test_a_claim_for_all_devices_needs_all() -> None:
    one_claim = TARGET.file.claim.model_copy(update={"per_node": 1})
    one = Target(TARGET.file.model_copy(update={"claim": one_claim}), TARGET.path)
    assert claims_free(one, "node-a", [slices(8)], [claim("gpu-0")], set()) == 0


def test_what_does_not_take_a_device_away_does_not_count() -> None:
    assert free([claim("gpu-0", namespace="ours")]) == 8
    assert free([claim("gpu-0", adminAccess=True)]) == 8
    assert free([claim("gpu-0", pool="pool-b")], slices(8), slices(8, "node-b", "pool-b")) == 8


def test_devices_of_the_network_count_on_every_node() -> None:
    assert free([claim("gpu-0")], slices(8, node=None)) == 7
