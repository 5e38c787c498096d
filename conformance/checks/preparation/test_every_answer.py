"""Whatever happens in a run, an answer to Prepare says what the scheduler has allocated."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from conformance.check import check
from conformance.checks.injection.test_specs_resolve import why_unqualified
from conformance.cluster import Answer, ClaimRef, Node, PreparedDevice, need_calls
from conformance.expect import Expect
from conformance.history import Event, History
from conformance.target import Target
from conformance.verdict import Inconclusive


@dataclass
class Allocated:
    """All that was ever allocated to a claim in this run: devices as (pool, name), and requests without subrequests."""

    devices: set[tuple[str, str]] = field(default_factory=set)
    requests: set[str] = field(default_factory=set)


@check(
    id="preparation.every_answer",
    covers=("PREP-01", "PREP-02", "PREP-09", "PREP-10", "PREP-11"),
    needs=("preparation.one_claim", "preparation.unreadable_claim"),
    at_end=True,
)
def test_every_answer(node: Node, history: History, target: Target, expect: Expect) -> None:
    """Over the whole run, every answer to a Prepare of the kubelet fits the claims that it was asked for."""
    need_calls(node)
    good = list(good_answers(history, target.driver_name))
    if not good:
        raise Inconclusive("the kubelet asked for no claim in this run, so there is nothing to look at")
    skipped = [ref.name for answer in good for ref in answer.asked if ref.uid not in answer.entries]
    expect("PREP-01").equal(skipped, [], "each claim of a call has an entry in the answer")
    foreign = [uid for answer in good for uid in answer.entries if uid not in {ref.uid for ref in answer.asked}]
    expect("PREP-02").equal(foreign, [], "no entry is for a claim that was not asked for")
    known = allocations(history, target.driver_name)
    pairs = [(ref, device) for answer in good for ref in answer.asked for device in answer.entry(ref).devices]
    malformed = [error for _, device in pairs for error in map(why_unqualified, device.cdi_device_ids) if error]
    expect("PREP-09").equal(malformed, [], "CDI ids are fully qualified: vendor/class=name")
    expect("PREP-10").equal(
        list(not_allocated(pairs, known)), [], "each device of an answer was allocated to the claim"
    )
    strange = [f"{ref.name}: {name}" for ref, device in pairs for name in strange_requests(ref, device, known)]
    expect("PREP-11").equal(strange, [], "request names are requests of the claim, without subrequest")


def good_answers(history: History, driver: str) -> Iterator[Answer]:
    """Answers to the kubelet's own calls that ended well, in order."""

    def answered(event: Event) -> bool:
        asked = (event["phase"], event["method"], event["driver"], event["source"], event["code"])
        return asked == ("end", "NodePrepareResources", driver, "kubelet", "OK")

    return (Answer.from_event(event.data) for event in history.events("rpc", answered))


def allocations(history: History, driver: str) -> Mapping[str, Allocated]:
    """What was allocated of the driver in this run, by UID of the claim."""
    found: dict[str, Allocated] = defaultdict(Allocated)
    for event in history.events("api", lambda event: event["resource"] == "resourceclaims"):
        claim = event["object"]
        devices = ((claim.get("status") or {}).get("allocation") or {}).get("devices") or {}
        for result in devices.get("results") or ():
            if result["driver"] == driver:
                found[claim["metadata"]["uid"]].devices.add((result["pool"], result["device"]))
                found[claim["metadata"]["uid"]].requests.add(result["request"].partition("/")[0])
    return found


def not_allocated(pairs: list[tuple[ClaimRef, PreparedDevice]], known: Mapping[str, Allocated]) -> Iterator[str]:
    """Devices that were given to a claim which had been allocated others."""
    for ref, device in pairs:
        if ref.uid in known and (device.pool_name, device.device_name) not in known[ref.uid].devices:
            yield f"{ref.name}: {device.pool_name}/{device.device_name}"


def strange_requests(ref: ClaimRef, device: PreparedDevice, known: Mapping[str, Allocated]) -> set[str]:
    """Request names of a device that no request of the claim has."""
    return set(device.request_names) - known[ref.uid].requests if ref.uid in known else set()
