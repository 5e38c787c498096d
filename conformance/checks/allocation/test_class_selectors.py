"""The selectors of the driver's own DeviceClasses can be evaluated on each of its devices."""

from conformance.check import check
from conformance.checks.allocation.selection import CelError, selects
from conformance.checks.publishing.pool import pools_of
from conformance.checks.publishing.together import settled_slices
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect


@check(
    id="allocation.class_selectors",
    covers=("RS-33",),
    needs=("publishing.pool_complete",),
)
def test_class_selectors(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """No device makes a selector of the driver's DeviceClasses fail: one error would stop the scheduling of a pod."""
    devices = [device for pool in pools_of(settled_slices(cluster)) for device in pool.devices]
    errors = []
    for name in driver.target.device_classes:
        selectors = cluster.api.get("deviceclasses", name)["spec"].get("selectors") or []
        for device in devices:
            try:
                selects(selectors, driver.target.driver_name, device)
            except CelError as error:
                errors.append(f"class {name}, device {device['name']}: {error}")
    expect("RS-33").equal(errors, [], "the driver's classes can be evaluated on each of its devices")
