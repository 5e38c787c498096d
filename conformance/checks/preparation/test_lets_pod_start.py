"""A pod gets past the preparation of its claim."""

from conformance.check import check
from conformance.checks.life import Life
from conformance.checks.start import failures, last, wait_prepared
from conformance.cluster import Installation
from conformance.expect import Expect
from conformance.verdict import Inconclusive


@check(
    id="preparation.lets_pod_start",
    covers=("PREP-34", "RS-13"),
    needs=("registration.known",),
    profile="kep-5970",
    claims=1,
)
def test_lets_pod_start(life: Life, driver: Installation, expect: Expect) -> None:
    """The kubelet has a pod's claim prepared, at the first try, and goes on to make its containers."""
    pod = life.first()
    life.need_calls_of("NodePrepareResources")
    done = wait_prepared(pod, driver.target.file.limits.pod_running)
    failed = failures(pod)
    if not done and not failed:
        raise Inconclusive(f"the pod is not prepared, and nothing says why: {pod.trouble()}")
    expect("PREP-34").equal(last(failed), "", "the claim is prepared at the first try")
    names = ", ".join(row.device for row in life.allocated())
    expect("RS-13").true(done, f"what is published as {names} can be prepared", last(failed))
