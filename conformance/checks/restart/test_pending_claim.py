"""A pod that was created while no driver lives gets its devices once the driver is back."""

from conformance.check import Tier, check
from conformance.checks.restart.comeback import trouble_until_ready
from conformance.cluster import Cluster, Installation, Pod, seen_within, wait_for
from conformance.expect import Expect

NOTICED = 60.0  # seconds for the kubelet to try in vain, or for the slices to be wiped
ASKED_AGAIN = 120.0  # seconds; a real kubelet tries again after 60 to 90
REFUSALS = 3  # once it is ready; a driver may fail and do better when asked again


@check(
    id="restart.pending_claim",
    covers=("REG-16", "PREP-12", "PREP-08"),
    needs=("registration.after_kill", "injection.specs_resolve"),
    tier=Tier.DISRUPT_DRIVER,
    claims=1,
)
def test_pending_claim(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """A pod that is created after the driver was killed waits; with the driver back, its claim is prepared."""
    cluster.need_calls()
    with driver.away():
        pod = cluster.apply("one_pod.yaml").pod("user")
        wait_for(lambda: is_in_want(pod), f"pod {pod.name} to wait for the driver", timeout=NOTICED)
    expect("REG-16").equal(trouble_until_ready(driver), "", "the driver starts while a pod waits for it")
    ready, claim = len(cluster.history), pod.claim("devices")

    def errors() -> list[str]:
        """One for each answer, "" for a good one."""
        return [answer.error for answer in cluster.answers("NodePrepareResources", claim.uid, since=ready)]

    seen_within(lambda: pod.phase == "Running" or "" in errors() or len(errors()) > REFUSALS, ASKED_AGAIN)
    expect("PREP-12").equal("".join(errors()[-1:]), "", "a claim that is older than the driver's process is prepared")
    given = pod.wait_prepared("devices").cdi_ids
    expect("PREP-08").equal(cluster.node.cdi.unresolved(given), [], "the CDI specs are there when Prepare returns")
    pod.wait_running()


def is_in_want(pod: Pod) -> bool:
    """Whether the kubelet has asked for the driver in vain, or the pod cannot be scheduled for want of slices."""
    failed = any(event["reason"] == "FailedPrepareDynamicResources" for event in pod.events())
    return failed or not pod.cluster.slices()
