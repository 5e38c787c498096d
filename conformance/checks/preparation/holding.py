"""Which claims had devices at some moment of the run, and which were not given back: read off the history."""

from collections.abc import Mapping
from typing import Any

from conformance.history import Event, History

Object = Mapping[str, Any]
Key = tuple[str, str]
"""Pool and name of a device."""


def claims_at(history: History, moment: Event) -> dict[str, Object]:
    """The last that was seen of each claim before a moment, by UID; of those that are gone, too."""
    seen: dict[str, Object] = {}
    for event in history.events("api", lambda event: event["resource"] == "resourceclaims" and event.seq < moment.seq):
        if event["type"] != "DELETED":
            seen[event["object"]["metadata"]["uid"]] = event["object"]
    return seen


def own_devices(claim: Object, driver: str) -> set[Key]:
    """The devices of the driver that a claim has."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    results = (allocation.get("devices") or {}).get("results") or ()
    return {(result["pool"], result["device"]) for result in results if result["driver"] == driver}


def holders(history: History, driver: str, uid: str, moment: Event) -> set[str]:
    """Other claims that may have devices of this one: ever allocated the same, asked for, and not given back since."""
    ever: dict[str, set[Key]] = {}
    for event in history.events("api", lambda event: event["resource"] == "resourceclaims" and event.seq < moment.seq):
        ever.setdefault(event["object"]["metadata"]["uid"], set()).update(own_devices(event["object"], driver))
    mine = ever.get(uid, set())
    busy = _not_given_back(history, driver, moment)
    # Of a claim that was never seen nobody knows the devices.
    return {other for other in busy - {uid} if other not in ever or ever[other] & mine}


def _not_given_back(history: History, driver: str, moment: Event) -> set[str]:
    """UIDs that the driver was asked to prepare, whatever it said, and that no good Unprepare followed."""
    busy: set[str] = set()

    def ended(event: Event) -> bool:
        return event.seq < moment.seq and event["phase"] == "end" and event["driver"] == driver

    for event in history.events("rpc", ended):
        if event["method"] == "NodePrepareResources":
            busy |= {claim["uid"] for claim in event["request"]["claims"]}
        elif event["method"] == "NodeUnprepareResources" and event["code"] == "OK":
            entries = (event["response"] or {}).get("claims") or {}
            busy -= {uid for uid, entry in entries.items() if not entry.get("error")}
    return busy
