"""The selectors of the driver's own DeviceClasses can be evaluated on each of its devices."""

from conformance.check import check
from conformance.checks.publishing.pool import pools_of
from conformance.cluster import Cluster, Installation
from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.celview import CelError, DeviceView
from conformance.expect import Expect


@check(
    id="allocation.class_selectors",
    covers=("RS-33",),
    needs=("publishing.pool_complete",),
)
def test_class_selectors(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """No device makes a selector of the driver's DeviceClasses fail: one error would stop the scheduling of a pod."""
    devices = [device for pool in pools_of(cluster.slices()) for device in pool.devices]
    for name in driver.target.device_classes:
        device_class = cluster.api.get("deviceclasses", name)
        matching = 0
        for selector in device_class["spec"].get("selectors") or []:
            compiled = cel.compile(selector["cel"]["expression"])
            for device in devices:
                error = ""
                try:
                    matching += compiled.matches(DeviceView.of(driver.target.driver_name, device))
                except CelError as reason:
                    error = str(reason)
                expect("RS-33").equal(error, "", f"class {name} can be evaluated on device {device['name']}")
        if device_class["spec"].get("selectors"):
            expect("RS-33").at_least(matching, 1, f"class {name} selects at least one device")
