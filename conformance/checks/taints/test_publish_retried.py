"""The API server can fail at the very moment at which a device does."""

from contextlib import ExitStack

from conformance.check import Tier, check
from conformance.checks.hardware import noticed, offered, sickened, some_device
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.history import Event
from conformance.verdict import Inconclusive


@check(
    id="taints.publish_retried",
    covers=("RS-13",),
    needs=("taints.sick_device",),
    profile="taints",
    tier=Tier.DISRUPT_DRIVER,
    features=("taints",),
    hooks=("sicken_device", "recover_device"),
)
def test_publish_retried(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A taint that cannot be written because the API server refuses is written when it no longer does."""
    before, device, since = offered(cluster), some_device(cluster), len(cluster.history)
    with ExitStack() as afterwards:
        with cluster.backend.refuse_writes("resourceslices"):
            afterwards.enter_context(sickened(cluster, driver, device))
            tried = cluster.history.wait("request", is_refused, since=since, timeout=driver.target.file.limits.notice)
        sick = noticed(cluster, before, device)
    if tried is None:
        raise Inconclusive("the driver tried to write no slice while that was refused")
    expect("RS-13").true(sick, "a sick device whose taint could not be written at first is tainted later")


def is_refused(event: Event) -> bool:
    """Whether the API server refused to change a slice."""
    return event["resource"] == "resourceslices" and event["verb"] in ("update", "patch") and event["code"] >= 400
