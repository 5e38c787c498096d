"""A sick device is reported sick, and the pod that has it shows so."""

from typing import Any

from conformance.check import Tier, check
from conformance.checks.hardware import device_of, need_device, sickened
from conformance.checks.health.watching import service_of, unwell, wait_devices
from conformance.cluster import Cluster, Installation, Pod, seen_within
from conformance.cluster.healthwatch import UNHEALTHY, health_stream
from conformance.expect import Expect

_SHOWN = 20.0  # seconds for the kubelet to write the pod's status


@check(
    id="health.sick_device",
    covers=("HLT-02",),
    needs=("health.refreshed", "preparation.one_claim"),
    profile="health",
    tier=Tier.DISRUPT_DRIVER,
    features=("health",),
    hooks=("sicken_device", "recover_device"),
    claims=1,
)
def test_sick_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """When a device falls sick and when it recovers, the driver reports it; the pod that has the device shows it."""
    notice = driver.target.file.limits.notice
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    device = device_of(pod)
    with health_stream(cluster, service_of(cluster)) as stream:
        well = wait_devices(stream) - unwell(stream, wait_devices(stream))
        with sickened(cluster, driver, device):
            stream.wait(lambda: unwell(stream, well), notice)
            sick = unwell(stream, well)  # parts of a device may be sick with it
            need_device(sick, device, "sickenDevice")
            shown = health_of(pod)
            if shown and stream.says(device, UNHEALTHY):
                shown = seen_within(lambda: health_of(pod) if "Unhealthy" in health_of(pod) else [], _SHOWN)
                expect("HLT-02").contains(shown, "Unhealthy", "the pod that has the device shows it")
        recovered = stream.wait(lambda: not unwell(stream, well), notice)
    expect("HLT-02").contains(sorted(sick), device, "a device that falls sick is no longer reported healthy")
    expect("HLT-02").true(recovered, "once it has recovered it is reported healthy again")


def health_of(pod: Pod) -> list[str]:
    """What the pod's status says of its devices' health; nothing where Kubernetes does not show it."""
    status: dict[str, Any] = pod.get().get("status") or {}
    rows = [row for each in status.get("containerStatuses", ()) for row in each.get("allocatedResourcesStatus", ())]
    return [str(device.get("health")) for row in rows for device in row.get("resources", ())]
