"""Which of its published devices a claim of the driver can get."""

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster
from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.celview import CelError, DeviceView
from conformance.verdict import NotApplicable

__all__ = ["CelError", "candidates", "eligible", "selects"]

Object = dict[str, Any]


def selects(selectors: Sequence[Object], driver: str, device: Object) -> bool:
    """Whether all selectors hold for a device; as in the scheduler, the first that does not hold ends it.

    Raises CelError.
    """
    view = DeviceView.of(driver, device)
    return all(cel.compile(selector["cel"]["expression"]).matches(view) for selector in selectors)


def eligible(cluster: Cluster, request: Mapping[str, Any]) -> list[tuple[str, Object]]:
    """(pool, device) for each device without taints that the request (its part `exactly`) selects."""
    device_class = cluster.api.get("deviceclasses", request["deviceClassName"])
    selectors = [*(device_class["spec"].get("selectors") or ()), *(request.get("selectors") or ())]
    return [
        (pool.name, device)
        for pool in pools_of(settled_slices(cluster))
        for device in pool.devices
        if not device.get("taints") and selects(selectors, cluster.target.driver_name, device)
    ]


def candidates(cluster: Cluster) -> list[Object]:
    """Devices of which a valid claim of the driver gets one. Raises NotApplicable when its claims are not for one."""
    requests = cluster.target.claim_spec()["devices"]["requests"]
    request = requests[0].get("exactly") or {}
    if len(requests) > 1 or request.get("count", 1) > 1 or request.get("allocationMode") == "All" or not request:
        raise NotApplicable("a valid claim of this driver is not for one device")
    return [device for _, device in eligible(cluster, request)]
