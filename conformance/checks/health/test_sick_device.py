"""A sick device is reported sick, so that the pod that has it can show so."""

from typing import Any

from conformance.check import Tier, check
from conformance.checks.hardware import device_of, need_device, sickened
from conformance.checks.health.told import SICK, listens, told
from conformance.checks.health.watching import service_of, unwell, wait_devices
from conformance.cluster import Cluster, Installation, Pod, seen_within
from conformance.cluster.healthwatch import UNHEALTHY, Key, health_stream
from conformance.expect import Expect
from conformance.verdict import Inconclusive

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
    """When a device falls sick and when it recovers, the driver reports it to everybody who watches."""
    notice = driver.target.file.limits.notice
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    device = device_of(pod)
    since, shown = len(cluster.history), True
    with health_stream(cluster, service_of(cluster)) as stream:
        well = wait_devices(stream) - unwell(stream, wait_devices(stream))
        with sickened(cluster, driver, device):
            stream.wait(lambda: unwell(stream, well), notice)
            sick = unwell(stream, well)  # parts of a device may be sick with it
            need_device(sick, device, "sickenDevice")
            if health_of(pod) and stream.says(device, UNHEALTHY):
                shown = seen_within(lambda: "Unhealthy" in health_of(pod), _SHOWN)
        recovered = stream.wait(lambda: not unwell(stream, well), notice)
    expect("HLT-02").contains(sorted(sick), device, "a device that falls sick is no longer reported healthy")
    expect("HLT-02").true(recovered, "once it has recovered it is reported healthy again")
    if not shown:
        judge_unshown(cluster, device, since, expect)


def judge_unshown(cluster: Cluster, device: Key, since: int, expect: Expect) -> None:
    """HLT-02, where a pod does not show that its device is sick: was the kubelet told? Raises Inconclusive if so."""
    history, driver = cluster.history, cluster.target.driver_name
    if not cluster.node.sees_calls or not listens(history, driver):
        raise Inconclusive("the pod does not show that its device is sick, and what its kubelet was told is not seen")
    said = told(history, driver, device, since)
    if expect("HLT-02").contains(said, SICK, "the kubelet is told that the device is sick, as others are"):
        raise Inconclusive("the kubelet was told that the device is sick, and the pod that has it does not show it")


def health_of(pod: Pod) -> list[str]:
    """What the pod's status says of its devices' health; nothing where Kubernetes does not show it."""
    status: dict[str, Any] = pod.get().get("status") or {}
    rows = [row for each in status.get("containerStatuses", ()) for row in each.get("allocatedResourcesStatus", ())]
    return [str(device.get("health")) for row in rows for device in row.get("resources", ())]
