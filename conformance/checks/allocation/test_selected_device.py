"""A claim that asks for one device by its attributes gets, and is prepared with, just that device."""

from collections.abc import Sequence
from typing import Any

from conformance.check import check
from conformance.checks.allocation.attribute import selector_for
from conformance.checks.allocation.selection import candidates
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="allocation.selected_device",
    covers=("PREP-10", "RS-19"),
    needs=("preparation.one_claim",),
    claims=1,
)
def test_selected_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A CEL selector on a published attribute picks the last device, and the driver prepares that one."""
    published = [device for pool in pools_of(settled_slices(cluster)) for device in pool.devices]
    expect("RS-19").equal(mixed_types(published), {}, "an attribute has the same type on all devices")
    expression = last_device(cluster)
    claim = driver.target.claim_spec(selectors=[expression])
    pod = cluster.apply("one_pod.yaml", claim=claim).pod("user")
    answer = pod.wait_prepared("devices")
    expect("PREP-10").equal(answer.error, "", f"the device with {expression} is prepared")
    allocated = {(row.pool, row.device) for row in pod.claim("devices").devices(driver.target.driver_name)}
    others = sorted({(device.pool_name, device.device_name) for device in answer.devices} - allocated)
    expect("PREP-10").equal(others, [], f"the answer names no device but {sorted(allocated)}, which was allocated")


def last_device(cluster: Cluster) -> str:
    """A CEL expression for the last device that such a claim can get. Raises NotApplicable where there is none."""
    devices = candidates(cluster)
    expression = selector_for(cluster.target.driver_name, devices[-1], devices[:-1]) if len(devices) > 1 else ""
    if not expression:
        raise NotApplicable("no attribute tells the devices that such a claim can get apart")
    return expression


def mixed_types(devices: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Attributes with more than one type; a list counts as the type of what is in it."""
    found: dict[str, set[str]] = {}
    for device in devices:
        for name, value in (device.get("attributes") or {}).items():
            found.setdefault(name, set()).update(kind.removesuffix("s") for kind in value)
    return {name: sorted(kinds) for name, kinds in found.items() if len(kinds) > 1}
