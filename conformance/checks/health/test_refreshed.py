"""The kubelet forgets a device's health that is not reported again in time."""

from contextlib import ExitStack

from conformance.check import check
from conformance.checks.deadline import missed
from conformance.checks.hardware import published
from conformance.checks.health.watching import limit_of, service_of, wait_devices
from conformance.cluster import Cluster
from conformance.cluster.healthwatch import HealthStream, Key, health_stream
from conformance.expect import Expect


@check(
    id="health.refreshed",
    covers=("HLT-03", "HLT-04", "HLT-05"),
    needs=("health.reports", "publishing.pool_complete"),
    profile="health",
    features=("health",),
)
def test_refreshed(cluster: Cluster, expect: Expect) -> None:
    """Reports name devices as the slices do, each again within its time limit, on a stream that stays open."""
    with ExitStack() as streams:  # all stay open until the last is judged: when one ends, a driver may tell the others
        stream = streams.enter_context(health_stream(cluster, service_of(cluster)))
        devices = wait_devices(stream)
        strangers = sorted(devices - set(published(cluster)))
        overdue = [limit_of(stream, key) for key in sorted(devices) if not comes_again(stream, key)]
        ended = stream.ended
        late = bool(overdue) and missed(cluster.backend, max(overdue), lambda: is_late(cluster, streams))
    expect("HLT-05").equal(strangers, [], "every device that a report names is in a slice")
    expect("HLT-04").equal(ended, "", "the driver leaves the stream open")
    expect("HLT-03").true(not late, "every device is reported again within its time limit", f"not within {overdue} s")


def comes_again(stream: HealthStream, key: Key) -> bool:
    """Whether a device that was reported is reported again in time."""
    return stream.wait(lambda: len(stream.reports(key)) > 1, limit_of(stream, key))


def is_late(cluster: Cluster, streams: ExitStack) -> bool:
    """One more try, on a stream of its own: whether a device that is reported is not reported again in time."""
    stream = streams.enter_context(health_stream(cluster, service_of(cluster)))
    return not all(comes_again(stream, key) for key in wait_devices(stream))
