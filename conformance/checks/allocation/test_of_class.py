"""What is published can be had by a claim."""

import re

from conformance.check import check
from conformance.checks.allocation.selection import CelError, eligible
from conformance.checks.life import Life
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import Inconclusive

_OF_DRA = re.compile(r"cannot allocate all claims|DynamicResources")


@check(
    id="allocation.of_class",
    covers=("RS-13",),
    needs=("publishing.pool_complete",),
    profile="kep-5970",
    claims=1,
)
def test_of_class(life: Life, driver: Installation, expect: Expect) -> None:
    """A claim for a device of the driver's device class is allocated."""
    got = life.allocated()
    said = "" if got else life.first().trouble()
    if not got:
        _need_usable(life.cluster, said)
    expect("RS-13").true(got, "a device that is published as one that can be used is allocated", said)
    strange = sorted({row.driver for row in got} - {driver.target.driver_name})
    if strange:
        raise Inconclusive(f"the claim got devices of {', '.join(strange)}: the class is not of this driver alone")


def _need_usable(cluster: Cluster, said: str) -> None:
    """Go on only where a device should have been allocated, and nothing else explains why not. Raises Inconclusive."""
    name = cluster.target.device_class
    try:
        found = eligible(cluster, {"deviceClassName": name})
    except CelError as error:
        raise Inconclusive(f"a selector of DeviceClass {name} ends in an error: {error}") from None
    if not found:
        raise Inconclusive(f"DeviceClass {name} selects no device without taints, so there is none to allocate")
    if not _OF_DRA.search(said):
        raise Inconclusive(f"it is not the claim that keeps the pod from being placed: {said}")
    if _others_have(cluster):
        raise Inconclusive(f"others have devices of the driver, which may be why no other one can be had: {said}")


def _others_have(cluster: Cluster) -> bool:
    claims = cluster.api.list("resourceclaims")["items"]
    rows = [row for claim in claims for row in _results(claim)]
    return any(row["driver"] == cluster.target.driver_name for row in rows)


def _results(claim: dict[str, dict[str, dict[str, dict[str, list[dict[str, str]]]]]]) -> list[dict[str, str]]:
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return (allocation.get("devices") or {}).get("results") or []
