"""Administrators taint devices by rules, which drivers know nothing of."""

from typing import Any

from conformance.check import Tier, check
from conformance.checks.hardware import device_of
from conformance.checks.offered import need_feature
from conformance.cluster import Cluster, Installation, Node
from conformance.expect import Expect

# The eviction controller looks at tolerations with this effect only, the scheduler also at those without any.
TOLERATIONS = [{"key": "conformance.example.com/maintenance", "operator": "Exists", "effect": "NoExecute"}]


@check(
    id="taints.rule",
    covers=("PREP-10", "UNP-07"),
    needs=("preparation.one_claim", "unpreparing.cleans_up"),
    profile="taints",
    tier=Tier.DISRUPT_DRIVER,
    features=("taints",),
    claims=1,
)
def test_rule(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """A claim whose pod a DeviceTaintRule evicts is undone, and one that tolerates the taint is prepared."""
    need_feature(cluster, "device-taint-rules")
    pod = cluster.apply("one_pod.yaml").pod("user").wait_running()
    claim, (pool, device) = pod.claim("devices"), device_of(pod)
    cluster.apply("rule.yaml", pool=pool, device=device)
    pod.wait_gone()
    expect("UNP-07").equal(node.cdi.devices_for(claim.uid), [], "of an evicted pod's claim no CDI device is left")
    patient = cluster.apply("one_pod.yaml", name="patient", claim=patient_claim(driver)).pod("patient")
    answer = patient.wait_prepared("devices")
    allocated = {(row.pool, row.device) for row in patient.claim("devices").devices(driver.target.driver_name)}
    prepared = {(row.pool_name, row.device_name) for row in answer.devices}
    expect("PREP-10").equal(answer.error, "", "a claim with tolerations is prepared")
    expect("PREP-10").equal(sorted(prepared - allocated), [], "each device of the answer is one that was allocated")


def patient_claim(driver: Installation) -> dict[str, Any]:
    """A valid claim that puts up with the taint of the rule."""
    spec: dict[str, Any] = driver.target.claim_spec()
    for request in spec["devices"]["requests"]:
        for wish in request.get("firstAvailable") or [request["exactly"]]:
            wish["tolerations"] = [*wish.get("tolerations", ()), *TOLERATIONS]
    return spec
