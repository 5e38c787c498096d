"""A kubelet that restarts cancels its health stream and opens another one."""

from conformance.check import Tier, check
from conformance.checks.health.watching import DEFAULT, service_of
from conformance.cluster import Cluster, Installation
from conformance.cluster.healthwatch import health_stream
from conformance.expect import Expect

MANY = 40  # streams: more than a server has threads


@check(
    id="health.cancelled",
    covers=("HLT-04",),
    needs=("health.reports",),
    profile="health",
    tier=Tier.DISRUPT_DRIVER,
    features=("health",),
)
def test_cancelled(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """However many health streams were cancelled, a new one gets its first report: those that were cancelled ended."""
    service = service_of(cluster)
    silent = next((number for number in range(MANY) if not gets_report(cluster, service)), None)
    if silent is not None:
        driver.restart()  # or nothing that follows would be answered
    expect("HLT-04").true(
        silent is None, f"each of {MANY} streams that are cancelled after it gets its first report", silent
    )


def gets_report(cluster: Cluster, service: str) -> bool:
    """Whether a stream gets a first report; it is cancelled then."""
    with health_stream(cluster, service) as stream:
        return stream.wait(lambda: stream.messages, DEFAULT)
