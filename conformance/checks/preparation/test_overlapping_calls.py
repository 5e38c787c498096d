"""The kubelet gives a call up after its deadline and makes it again, while the driver may be at the first one still."""

from concurrent.futures import ThreadPoolExecutor

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import Cluster, Node
from conformance.expect import Expect

GIVEN_UP_AFTER = (0.002, 0.005, 0.02, 0.05)  # seconds; some call is cut off half way, whatever the driver's pace


@check(
    id="preparation.overlapping_calls",
    covers=("PREP-18",),
    needs=("preparation.repeat_same_devices", "unpreparing.cleans_up"),
    claims=1,
)
def test_overlapping_calls(cluster: Cluster, node: Node, expect: Expect) -> None:
    """A call that is given up while others overlap with it leads to one setup of the claim, and a whole one."""
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim = pod.claim("devices").ref
    once = len(node.cdi.devices_for(claim.uid))
    for patience in GIVEN_UP_AFTER:
        until_good(lambda: node.unprepare(claim))
        with ThreadPoolExecutor() as pool:
            pool.submit(node.prepare, claim, timeout=patience)
            pool.submit(node.prepare, claim)
            pool.submit(node.prepare, claim)
        answer = until_good(lambda: node.prepare(claim))
        setups = node.cdi.devices_for(claim.uid)
        expect("PREP-18").equal(answer.error, "", "the claim is prepared after calls that overlapped")
        expect("PREP-18").equal(node.cdi.unresolved(answer.cdi_ids), [], "its CDI ids are all in specs")
        expect("PREP-18").equal(len(setups), once, f"it is set up once: {', '.join(setups)}")
    undone = until_good(lambda: node.unprepare(claim))
    expect("PREP-18").equal(undone.error, "", "it can be unprepared")
    expect("PREP-18").equal(node.cdi.devices_for(claim.uid), [], "nothing of it is left then")
