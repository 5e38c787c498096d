"""A claim that asks for one device by its attributes gets, and is prepared with, just that device."""

from conformance.check import check
from conformance.checks.allocation.attribute import selector_for
from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="allocation.selected_device",
    covers=("PREP-10", "RS-19"),
    needs=("preparation.one_claim",),
)
def test_selected_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A CEL selector on a published attribute picks the last device, and the driver prepares that one."""
    devices = [(pool.name, device) for pool in pools_of(cluster.slices()) for device in pool.devices]
    pool, wanted = devices[-1]
    others = [device for _, device in devices[:-1]]
    expression = selector_for(driver.target.driver_name, wanted, others)
    if not expression:
        raise NotApplicable("no attribute tells the published devices apart")
    kinds = {name: types_of(name, [d for _, d in devices]) for name in wanted["attributes"]}
    mixed = {name: sorted(found) for name, found in kinds.items() if len(found) > 1}
    expect("RS-19").equal(mixed, {}, "an attribute has the same type on all devices")
    claim = driver.target.claim_spec(selectors=[expression])
    pod = cluster.apply("one_pod.yaml", claim=claim).pod("user")
    answer = pod.wait_prepared("devices")
    expect("PREP-10").equal(answer.error, "", f"the device with {expression} is prepared")
    prepared = [(device.pool_name, device.device_name) for device in answer.devices]
    expect("PREP-10").equal(prepared, [(pool, wanted["name"])], "the answer names the device that was allocated")


def types_of(name: str, devices: list[dict[str, dict[str, dict[str, object]]]]) -> set[str]:
    """The types (int, string, bool, version) that an attribute has on some devices."""
    return {kind for device in devices for kind in device.get("attributes", {}).get(name, {})}
