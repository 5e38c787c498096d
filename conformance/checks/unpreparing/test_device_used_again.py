"""A device that one pod has given back is good for the next."""

from conformance.check import check
from conformance.checks.life import Life
from conformance.checks.start import failures, last, wait_prepared
from conformance.cluster import Installation
from conformance.expect import Expect
from conformance.verdict import Inconclusive


@check(
    id="unpreparing.device_used_again",
    covers=("UNP-10",),
    needs=("unpreparing.lets_pod_end",),
    profile="kep-5970",
    claims=1,
)
def test_device_used_again(life: Life, driver: Installation, expect: Expect) -> None:
    """The next pod, with a claim of its own, gets the device that the first one had, and starts as far as that did."""
    before = {(row.pool, row.device) for row in life.allocated()}
    pod = life.second()
    now = {(row.pool, row.device) for row in pod.claim("devices").wait_allocated()}
    done = wait_prepared(pod, driver.target.file.limits.pod_running)
    failed = failures(pod)
    if not done and not failed:
        raise Inconclusive(f"the second pod is not prepared, and nothing says why: {pod.trouble()}")
    if not before & now:
        raise Inconclusive(f"the second pod got {_names(now)}, and so nothing is known of {_names(before)}")
    expect("UNP-10").true(done, f"{_names(before & now)} is prepared for the second pod", last(failed))
    if life.has_run:  # else the first pod, too, had all that this one has, and something other keeps both
        pod.wait_running()


def _names(devices: set[tuple[str, str]]) -> str:
    return ", ".join(device for _, device in sorted(devices))
