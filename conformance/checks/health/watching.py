"""Health streams that a check opens itself."""

from conformance.cluster import Cluster
from conformance.cluster.healthwatch import HEALTHY, HealthStream, Key, health_services
from conformance.verdict import NotApplicable

SOON = 10.0  # seconds for the first report
DEFAULT = 30.0  # seconds after which the kubelet forgets what it was told, unless the report says otherwise


def service_of(cluster: Cluster) -> str:
    """The health service that a kubelet would use. Raises NotApplicable when the driver advertises none."""
    services = health_services(cluster)
    if not services:
        raise NotApplicable("the driver advertises no health service")
    return services[0]


def wait_devices(stream: HealthStream) -> set[Key]:
    """The devices that the first reports name. Raises NotApplicable without any."""
    stream.wait(stream.latest, SOON)
    found = set(stream.latest())
    if stream.ended.startswith("UNIMPLEMENTED"):
        raise NotApplicable("the driver declines to report health: it answers Unimplemented")
    if not found:
        raise NotApplicable("no health report names a device")
    return found


def limit_of(stream: HealthStream, key: Key) -> float:
    """Seconds within which a device is to be reported again."""
    timeout = stream.latest()[key].timeout
    return float(timeout) if timeout > 0 else DEFAULT


def unwell(stream: HealthStream, devices: set[Key]) -> set[Key]:
    """Those of the devices that the last report does not call healthy."""
    return {key for key in devices if not stream.says(key, HEALTHY)}
