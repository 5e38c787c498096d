"""Network devices: what their driver tells of them in the claim's status."""

from typing import Any

from conformance.check import check
from conformance.checks.offered import offers, run_pod
from conformance.checks.status.entries import entries_of, is_cidr, is_refused, lacks_rights
from conformance.cluster import Claim, Cluster, Installation, seen_within
from conformance.expect import Expect
from conformance.verdict import NotApplicable, NotRun

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
    """Addresses that the driver tells of network devices are in CIDR notation, and the API server takes them."""
    since, name = len(cluster.history), driver.target.driver_name
    of_each_class = offers(cluster, lambda _: True, "network")
    claims = [run_pod(cluster, f"user-{n}", offer).claim("devices") for n, offer in enumerate(of_each_class)]

    def told() -> list[Object]:
        return [data for claim in claims for data in network_data(claim, name)]

    def refused() -> list[str]:
        return sorted({str(event["message"]) for event in cluster.history.events("request", is_refused, since)})

    seen_within(lambda: told() or refused(), _PATIENCE)
    expect("STS-02").equal(refused(), [], "the API server accepts what the driver writes into status.devices")
    if not told():
        if next(cluster.history.events("request", lacks_rights, since), None):
            raise NotRun("the driver lacks the right to write the status of claims on this cluster")
        raise NotApplicable("the driver says nothing of its network devices in the status of claims")
    wrong = [address for data in told() for address in data.get("ips") or () if not is_cidr(address)]
    expect("STS-02").equal(wrong, [], "addresses of network devices are in CIDR notation")


def network_data(claim: Claim, driver: str) -> list[Object]:
    """The networkData that the driver tells of devices of a claim."""
    return [row["networkData"] for row in entries_of(claim) if row["driver"] == driver and row.get("networkData")]
