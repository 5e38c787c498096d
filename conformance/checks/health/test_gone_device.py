"""What is not there cannot be well."""

from conformance.check import Tier, check
from conformance.checks.hardware import noticed, offered, removed, some_device
from conformance.checks.health.watching import limit_of, service_of, wait_devices
from conformance.cluster import Cluster, Installation
from conformance.cluster.healthwatch import HEALTHY, health_stream
from conformance.expect import Expect


@check(
    id="health.gone_device",
    covers=("HLT-06",),
    needs=("health.refreshed", "publishing.gone_device"),
    profile="health",
    tier=Tier.DISRUPT_DRIVER,
    features=("health",),
    hooks=("remove_device", "add_device"),
)
def test_gone_device(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A device that has vanished is no longer reported healthy."""
    before, device = offered(cluster), some_device(cluster)
    with health_stream(cluster, service_of(cluster)) as stream:
        limit = max(limit_of(stream, key) for key in wait_devices(stream))
        with removed(cluster, driver, device):
            gone = noticed(cluster, before, device)
            newest = stream.messages + 2  # the next one may have been on its way already
            stream.wait(lambda: stream.messages >= newest, limit)
            gone &= before - offered(cluster)  # a pool that was just being updated is whole again
            reports = [(key, row) for key in sorted(gone) for row in stream.reports(key)]
            vouched = sorted({key for key, row in reports if row.number >= newest and row.health == HEALTHY})
    expect("HLT-06").equal(vouched, [], "a device that has vanished is not reported healthy")
