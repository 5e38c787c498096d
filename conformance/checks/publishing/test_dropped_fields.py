"""An API server stores no fields of features that it has turned off."""

from typing import Any

from conformance.check import Tier, check
from conformance.checks.publishing.test_republish import delete_slices_on
from conformance.cluster import Cluster, Installation, Node, seen_within
from conformance.cluster.apirules import Rule
from conformance.expect import Expect
from conformance.verdict import Inconclusive, NotApplicable

Object = dict[str, Any]

GATED = ("taints", "allowMultipleAllocations", "bindsToNode", "bindingConditions", "bindingFailureConditions")
"""Fields of devices that belong to features which can be turned off, and which no other field refers to."""
WATCHED = 6.0  # seconds at most
ROUNDS = 5  # writes of each slice in that time; a driver may try once or twice more before it gives in


@check(
    id="publishing.dropped_fields",
    covers=("RS-23",),
    needs=("publishing.pool_complete", "registration.after_kill"),
    profile="hardening",
    tier=Tier.DISRUPT_DRIVER,
)
def test_dropped_fields(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A driver whose slices are stored without some fields does not write them again and again."""
    slices = cluster.slices_of(node)
    if not any(field in device for item in slices for device in devices_of(item) for field in GATED):
        raise NotApplicable(f"no device has a field of a feature that can be turned off, such as {', '.join(GATED)}")
    dropping = Rule(methods=("POST", "PUT", "PATCH"), path="/resourceslices", change_request=without_gated)
    with cluster.backend.api_faults(driver) as faults, faults.rule(dropping):
        delete_slices_on(cluster, node)
        if not seen_within(lambda: dropping.used, driver.target.ready_within):
            raise Inconclusive("the driver was not seen to write slices")
        enough = ROUNDS * len(slices)
        seen_within(lambda: len(dropping.used) > enough, WATCHED)
    expect("RS-23").at_most(len(dropping.used), enough, f"writes of {len(slices)} slices in {WATCHED:g} s")


def without_gated(item: Object) -> Object:
    """The slice as a server stores it that has these features turned off."""
    spec = item.get("spec") or {}
    devices = [_plain(device) for device in devices_of(item)]
    return {**item, "spec": {**spec, "devices": devices}} if "devices" in spec else item


def _plain(device: Object) -> Object:
    capacity = {name: {"value": amount["value"]} for name, amount in (device.get("capacity") or {}).items()}
    kept = {key: value for key, value in device.items() if key not in GATED}
    return {**kept, **({"capacity": capacity} if capacity else {})}


def devices_of(item: Object) -> list[Object]:
    """Devices of a slice."""
    found: list[Object] = (item.get("spec") or {}).get("devices") or []
    return found
