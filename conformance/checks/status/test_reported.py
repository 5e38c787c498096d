"""What a driver says in a claim of the devices that it prepared."""

from conformance.check import check
from conformance.checks.status.entries import entries_of, faults_of, is_refused, lacks_rights
from conformance.cluster import Cluster, Installation, seen_within
from conformance.expect import Expect
from conformance.verdict import NotRun

_PATIENCE = 10.0  # seconds for a report that nobody waits for


@check(
    id="status.reported",
    covers=("STS-01", "STS-02"),
    needs=("preparation.one_claim",),
    profile="device-status",
    features=("device-status",),
    claims=1,
)
def test_reported(cluster: Cluster, driver: Installation, expect: Expect) -> None:
    """What the driver writes into status.devices is about its own devices of the claim, and the API server takes it."""
    since = len(cluster.history)
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices")
    allocated = {(row.driver, row.pool, row.device) for row in claim.devices(driver.target.driver_name)}

    def refused() -> list[str]:
        return sorted({str(event["message"]) for event in cluster.history.events("request", is_refused, since)})

    def unwritten() -> str:
        event = next(cluster.history.events("request", lacks_rights, since), None)
        return str(event["message"]) if event else ""

    seen_within(lambda: entries_of(claim) or refused() or unwritten(), _PATIENCE)
    entries = entries_of(claim)
    if not entries and unwritten():
        raise NotRun(f"the driver lacks a right on this cluster: {unwritten()}")
    expect("STS-02").equal(refused(), [], "the API server accepts what is written into status.devices")
    expect("STS-01").true(entries, "the driver, which claims to, says something of the devices in the claim's status")
    faults = [text for entry in entries for text in faults_of(entry, allocated)]
    expect("STS-02").equal(faults, [], "entries are about allocated devices of the driver, and keep the limits")
