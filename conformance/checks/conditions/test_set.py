"""The scheduler binds a pod only when its devices say that they are ready."""

from typing import Any

from conformance.check import check
from conformance.checks.offered import claim_for, offers
from conformance.cluster import Claim, Cluster, Installation, seen_within
from conformance.expect import Expect

Object = dict[str, Any]


@check(
    id="conditions.set",
    covers=("RS-28",),
    needs=("registration.advertised_services", "publishing.pool_complete"),
    profile="binding-conditions",
    features=("binding-conditions",),
)
def test_set(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """Once a device with binding conditions is allocated, all of them are set in the claim's status; the pod runs."""
    offer = offers(cluster, lambda device: device.get("bindingConditions"), "binding-conditions")[0]
    pod = cluster.apply("one_pod.yaml", claim=claim_for(cluster, offer)).pod("user")
    claim = pod.claim("devices")
    claim.wait_allocated()
    within = driver.target.file.limits.binding
    seen_within(lambda: not undecided(claim, driver.target.driver_name), within)
    left = undecided(claim, driver.target.driver_name)
    expect("RS-28").equal(left, [], f"conditions of allocated devices are set within {within:g} s")
    pod.wait_running()


def undecided(claim: Claim, driver: str) -> list[str]:
    """Binding conditions that are not true, as device: condition, of devices of which no failure is told either."""
    status = claim.get().get("status") or {}
    results = (status.get("allocation") or {}).get("devices", {}).get("results", [])
    found = []
    for result in results:
        if result["driver"] == driver:
            true = _true(status, result)
            if not true & set(result.get("bindingFailureConditions") or ()):
                found += [f"{result['device']}: {n}" for n in result.get("bindingConditions") or () if n not in true]
    return found


def _true(status: Object, result: Object) -> set[str]:
    keys = ("driver", "pool", "device")
    rows = [row for row in status.get("devices") or () if all(row[key] == result[key] for key in keys)]
    return {c["type"] for row in rows for c in row.get("conditions") or () if c["status"] == "True"}
