"""A claim for shares of different devices."""

from collections.abc import Sequence
from typing import Any

from conformance.check import check
from conformance.checks.offered import claim_for
from conformance.checks.shares.shareable import shareable, shares_of
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import NotApplicable


@check(
    id="shares.distinct",
    covers=("PREP-27",),
    needs=("shares.two_claims",),
    profile="consumable-capacity",
    features=("consumable-capacity",),
)
def test_distinct(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """Shares of two devices that differ in an attribute, as a claim may demand, are prepared together."""
    rows = [offer.rows[0] for offer in shareable(cluster)]
    attribute = distinct(cluster.target.driver_name, [device for _, device in rows])
    wanted = shareable(cluster)[0]
    for_any = wanted.asking(selectors=[])
    claim = claim_for(cluster, for_any, for_any)
    claim["devices"]["constraints"] = [{"distinctAttribute": attribute}]
    pod = cluster.apply("one_pod.yaml", claim=claim).pod("user")
    answer = pod.wait_prepared("devices")
    shares = shares_of(pod.claim("devices"), driver.target.driver_name)
    names = ", ".join(device for _, device in shares)
    expect("PREP-27").equal(answer.error, "", f"shares of {names} are prepared together")
    given = {(row.pool_name, row.device_name): row.share_id for row in answer.devices}
    wrong = {key: share for key, share in given.items() if share not in (shares.get(key, {}).get("shareID"), None)}
    expect("PREP-27").equal(wrong, {}, "each device of the answer carries the share id that was allocated of it")


def distinct(driver: str, devices: Sequence[dict[str, Any]]) -> str:
    """The full name of an attribute that all the devices have, each with another value. Raises NotApplicable."""
    for name in devices[0].get("attributes") or {} if len(devices) > 1 else ():
        values = [(device.get("attributes") or {}).get(name) for device in devices]
        if None not in values and all(values.count(value) == 1 for value in values):
            return str(name) if "/" in name else f"{driver}/{name}"
    raise NotApplicable("no two devices for several claims differ in an attribute")
