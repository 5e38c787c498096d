"""Devices that a driver offers beyond whole ones for one claim, and claims for them: read off slices and classes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.checks.allocation.attribute import selector_for
from conformance.checks.allocation.selection import CelError, eligible
from conformance.cluster import Cluster, Pod, wait_for
from conformance.target import Target
from conformance.verdict import NotApplicable, NotRun

Object = dict[str, Any]
Row = tuple[str, Object]
"""Name of a pool, and a device of it as published."""

REQUEST = "device"
_ON_SINCE = {
    "partitionable": 36,
    "consumable-capacity": 36,
    "binding-conditions": 36,
    "extended-resource": 36,
    "device-taint-rules": 37,
}
"""The minor version of Kubernetes 1 from which on a feature is on unless it is turned off."""
_GATES = {
    "partitionable": "DRAPartitionableDevices",
    "consumable-capacity": "DRAConsumableCapacity",
    "binding-conditions": "DRADeviceBindingConditions",
    "extended-resource": "DRAExtendedResource",
    "device-taint-rules": "DRADeviceTaintRules",
}
"""The feature gate that turns it on or off in the API server and the scheduler."""


@dataclass(frozen=True)
class Offer:
    """What the part `exactly` of a request must be to get one of these devices."""

    exactly: Object
    rows: tuple[Row, ...]

    def asking(self, **fields: Any) -> "Offer":
        """The same with more fields in the request."""
        return replace(self, exactly={**self.exactly, **fields})


def offers(cluster: Cluster, special: Callable[[Object], object], feature: str) -> list[Offer]:
    """For each class of the driver file that gives special devices: how to ask for any of them, or else for each.

    Raises NotRun where Kubernetes has the feature turned off, NotApplicable where no class gives such devices.
    """
    found = [offer for name in cluster.target.device_classes for offer in _of_class(cluster, name, special)]
    if not found:
        need_feature(cluster, feature)
        gate = _GATES.get(feature)
        lost = f"; with the feature gate {gate} off, the API server drops what shows it" if gate else ""
        raise NotApplicable(f"no device class of the driver file gives devices that show {feature}{lost}")
    return found


def each_alone(cluster: Cluster, offer: Offer) -> list[Offer]:
    """How to ask for each device of an offer, where attributes tell it from the others of its class."""
    every = eligible(cluster, offer.exactly)
    return [single for row in offer.rows if (single := _alone(cluster, offer.exactly, row, every))]


def need_feature(cluster: Cluster, feature: str) -> None:
    """Go on only where Kubernetes has a feature on. Raises NotRun."""
    version = str(cluster.backend.describe()["kubernetes"]).removeprefix("v")
    if int(version.split(".")[1]) < _ON_SINCE.get(feature, 0):
        gate = _GATES[feature]
        raise NotRun(f"Kubernetes {version} has {feature} turned off, unless its feature gate {gate} is set")


def claim_for(cluster: Cluster, *wanted: Offer) -> Object:
    """The spec of a claim with these requests, numbered where there are several, configured as the driver demands."""
    kept = demanded_configs(cluster.target)
    names = [REQUEST] if len(wanted) == 1 else [f"{REQUEST}-{number}" for number in range(len(wanted))]
    requests = [{"name": name, "exactly": offer.exactly} for name, offer in zip(names, wanted, strict=True)]
    return {"devices": {"requests": requests, **({"config": kept} if kept else {})}}


def demanded_configs(target: Target) -> list[Object]:
    """Entries of a valid claim's config, for whatever requests; those for some of several requests are left out."""
    devices = target.claim_spec()["devices"]
    single = len(devices["requests"]) == 1
    entries = [entry for entry in devices.get("config", ()) if single or not entry.get("requests")]
    return [{key: value for key, value in entry.items() if key != "requests"} for entry in entries]


def run_pod(cluster: Cluster, name: str, *wanted: Offer) -> Pod:
    """A pod with such a claim, as soon as its containers run. Raises WaitTimeout."""
    return cluster.apply("one_pod.yaml", name=name, claim=claim_for(cluster, *wanted)).pod(name).wait_running()


def wait_looked_at(pod: Pod) -> bool:
    """Whether the scheduler has found no place for the pod, once it has either looked or placed it."""
    found = wait_for(lambda: _scheduled(pod), f"pod {pod.name} to be looked at by the scheduler", timeout=30)
    return str(found["status"]) == "False"


def _scheduled(pod: Pod) -> Object | None:
    rows = (pod.get().get("status") or {}).get("conditions") or ()
    return next((row for row in rows if row["type"] == "PodScheduled"), None)


def _of_class(cluster: Cluster, name: str, special: Callable[[Object], object]) -> list[Offer]:
    exactly = {"deviceClassName": name}
    try:
        every = eligible(cluster, exactly)
    except CelError:
        return []
    chosen = [row for row in every if special(row[1])]
    if len(chosen) == len(every):
        return [Offer(exactly, tuple(chosen))] if chosen else []
    return [offer for row in chosen if (offer := _alone(cluster, exactly, row, every))]


def _alone(cluster: Cluster, exactly: Object, row: Row, every: Sequence[Row]) -> Offer | None:
    others = [device for pool, device in every if (pool, device["name"]) != (row[0], row[1]["name"])]
    expression = selector_for(cluster.target.driver_name, row[1], others)
    if not expression and others:
        return None
    more = [{"cel": {"expression": expression}}] if expression else []
    return Offer({**exactly, "selectors": [*exactly.get("selectors", ()), *more]}, (row,))
