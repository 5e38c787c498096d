"""Network devices: what their driver tells of them in the claim's status."""

import ipaddress
from typing import Any

from conformance.check import check
from conformance.checks.offered import Offer, claim_for
from conformance.cluster import Claim, Cluster, Installation, seen_within
from conformance.expect import Expect
from conformance.history import Event
from conformance.verdict import NotApplicable

Object = dict[str, Any]
_PATIENCE = 5.0  # seconds for a report that nobody waits for


@check(
    id="network.data",
    covers=("STS-02",),
    needs=("preparation.one_claim",),
    profile="network",
    features=("network",),
)
def test_data(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """What is said of network devices is about allocated ones, with addresses in CIDR notation."""
    since, target = len(cluster.history), driver.target
    claims = []
    for number, name in enumerate(target.device_classes):
        spec = claim_for(cluster, Offer({"deviceClassName": name}, ()))
        pod = cluster.apply("one_pod.yaml", name=f"user-{number}", claim=spec).pod(f"user-{number}")
        claims.append(pod.wait_running().claim("devices"))
    told = seen_within(lambda: [row for claim in claims for row in network_data(claim, target.driver_name)], _PATIENCE)
    refused = sorted({str(e["message"]) for e in cluster.history.events("request", _refused, since)})
    expect("STS-02").equal(refused, [], "the API server accepts what the driver writes into status.devices")
    if not told:
        raise NotApplicable("the driver says nothing of its network devices in the status of claims")
    wrong = [text for row in told for text in not_cidr(row)]
    expect("STS-02").equal(wrong, [], "addresses of network devices are in CIDR notation")


def network_data(claim: Claim, driver: str) -> list[Object]:
    """The networkData that the driver tells of devices of a claim."""
    rows = (claim.get().get("status") or {}).get("devices") or ()
    return [row["networkData"] for row in rows if row["driver"] == driver and row.get("networkData")]


def not_cidr(data: Object) -> list[str]:
    """Addresses that are not in CIDR notation."""
    return [address for address in data.get("ips") or () if not _is_cidr(address)]


def _is_cidr(address: str) -> bool:
    try:
        ipaddress.ip_interface(address)
    except ValueError:
        return False
    return "/" in address


def _refused(event: Event) -> bool:
    writes = event["verb"] in ("update", "patch") and event["code"] in (400, 422)
    return writes and event["resource"] == "resourceclaims/status" and "status.devices" in str(event["message"])
