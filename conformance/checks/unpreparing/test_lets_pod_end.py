"""A pod with a claim ends: the kubelet lets it go only when the driver has unprepared the claim."""

from conformance.check import check
from conformance.checks.life import Life
from conformance.expect import Expect


@check(
    id="unpreparing.lets_pod_end",
    covers=("UNP-07",),
    needs=("preparation.lets_pod_start",),
    profile="kep-5970",
    claims=1,
)
def test_lets_pod_end(life: Life, expect: Expect) -> None:
    """A pod with a claim that is deleted goes, as one without a claim does beside it."""
    pod = life.first()
    life.need_calls_of("NodeUnprepareResources")
    gone = life.ended()
    said = "" if gone else "the pod without a claim is gone, and this one is still there"
    expect("UNP-07").true(gone, f"pod {pod.name} goes, so its claim was unprepared", said)
