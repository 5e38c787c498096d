"""Claims with devices of two drivers."""

from collections.abc import Sequence
from typing import Any

from conformance.checks.allocation.selection import CelError, selects
from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Cluster
from conformance.target import Target

Object = dict[str, Any]

REQUEST = "companion"
"""Name of the request for the other driver's device."""


def beside(cluster: Cluster, other: Target) -> Object:
    """The spec of a valid claim that asks for one device of another driver as well.

    Constraints stay those of the devices that they have been for, and so do classes: one that would take the other
    driver's devices, or fail on them, is made anew for that.
    """
    devices: Object = cluster.target.claim_spec()["devices"]
    own = [request["name"] for request in devices["requests"]]
    constraints = [{**each, "requests": each.get("requests") or own} for each in devices.get("constraints", ())]
    wishes = [each for request in devices["requests"] for each in request.get("firstAvailable") or [request["exactly"]]]
    foreign = [device for pool in pools_of(cluster.seen_by(other).slices()) for device in pool.devices]
    classes = {name: _without(cluster, other, foreign, name) for name in {wish["deviceClassName"] for wish in wishes}}
    for wish in wishes:
        wish["deviceClassName"] = classes[wish["deviceClassName"]]
    more = {"name": REQUEST, "exactly": {"deviceClassName": other.device_class}}
    return {"devices": {**devices, "requests": [*devices["requests"], more], "constraints": constraints}}


def without_own(other: Target) -> Object:
    """The spec of a claim that asks for one device of another driver alone."""
    return {"devices": {"requests": [{"name": REQUEST, "exactly": {"deviceClassName": other.device_class}}]}}


def _without(cluster: Cluster, other: Target, foreign: Sequence[Object], name: str) -> str:
    """Name of a class that passes over the other driver's devices: the class itself, or a copy where it does not."""
    spec = cluster.api.get("deviceclasses", name)["spec"]
    selectors = spec.get("selectors") or []
    if all(_passes_over(selectors, other.driver_name, device) for device in foreign):
        return name
    first = {"cel": {"expression": f"device.driver != '{other.driver_name}'"}}
    copy = {"config": spec.get("config") or [], "selectors": [first, *selectors]}
    metadata = {"name": f"{cluster.namespace}.{name}"}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"}
    return str(cluster.create({**kind, "metadata": metadata, "spec": copy})["metadata"]["name"])


def _passes_over(selectors: Sequence[Object], driver: str, device: Object) -> bool:
    try:
        return not selects(selectors, driver, device)
    except CelError:
        return False
