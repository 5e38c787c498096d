"""The kubelet knows the driver, as far as the API shows it."""

from conformance.check import check
from conformance.checks.life import Life
from conformance.checks.start import is_answered, unregistered
from conformance.cluster import Installation, seen_within
from conformance.expect import Expect
from conformance.verdict import Inconclusive


@check(
    id="registration.known",
    covers=("REG-01",),
    needs=("publishing.pool_complete", "allocation.of_class"),
    profile="kep-5970",
    claims=1,
)
def test_known(life: Life, driver: Installation, expect: Expect) -> None:
    """The kubelet asks the driver to prepare a claim, so it knows it as a registered plugin."""
    target, pod = driver.target, life.first()
    life.need_calls_of("NodePrepareResources")
    asked = seen_within(lambda: is_answered(pod), target.ready_within)
    refused = unregistered(pod, target.driver_name)
    if not asked and not refused:
        raise Inconclusive(f"whether the driver is registered is not to be seen: {pod.trouble()}")
    expect("REG-01").true(asked, "the kubelet knows the driver as a registered plugin, and asks it", refused)
