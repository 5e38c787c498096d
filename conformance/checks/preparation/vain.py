"""Pods that a check waited for in vain, because the driver refused their valid claims: read off the history."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.check import Tier
from conformance.checks.preparation.holding import claims_at, holders, own_devices
from conformance.cluster import Answer
from conformance.history import Event, History
from conformance.target import Target

Object = Mapping[str, Any]

REFUSALS = 3  # in the time that a pod is given to run; a driver may fail and do better when asked again
_NOT_ANSWERED = {"UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED"}
_DEFAULTS = {"allocationMode": "ExactCount", "count": 1}


def refused(history: History, target: Target) -> list[str]:
    """Each claim that was refused until its pod was given up, as "check: claim on device: what the driver said".

    Only where nothing else can be why: a check that disturbs nothing, a claim as the driver file says, all of the
    kubelet's calls answered and each with an error for this claim, devices that are offered still and that no other
    claim has, a driver whose requests the API server did not refuse.
    """
    return [text for vain in history.events("vain") for text in _refused_for(vain, history, target)]


def _refused_for(vain: Event, history: History, target: Target) -> Iterator[str]:
    began = history.last("check", lambda event: event["phase"] == "start" and event.seq < vain.seq)
    if began is None or began["tier"] != Tier.OBSERVE or _is_ours(history, began, vain):
        return
    claims = claims_at(history, vain)
    for uid, claim in claims.items():
        users = (claim.get("status") or {}).get("reservedFor") or ()
        mine = own_devices(claim, target.driver_name)
        if vain["uid"] not in {user["uid"] for user in users} or not mine or not is_valid(claim["spec"], target):
            continue
        errors = _errors(history, target.driver_name, uid, began, vain)
        free = mine <= _offered(history, target.driver_name, vain)
        if len(errors) >= REFUSALS and all(errors) and free and not holders(history, target.driver_name, uid, vain):
            devices = ", ".join(sorted(device for _, device in mine))
            yield f"{began['id']}: claim {claim['metadata']['name']} on {devices}: {errors[-1]}"


def _is_ours(history: History, began: Event, vain: Event) -> bool:
    """Whether meanwhile the cluster failed, something was disturbed, or the API server refused a driver's request."""

    def stands_in_the_way(event: Event) -> bool:
        refusal = event.kind == "request" and event["code"] >= 400 and event["code"] not in (404, 409)
        return event.seq < vain.seq and (refusal or event.kind in ("error", "disturb"))

    return any(history.events(where=stands_in_the_way, since=began.seq))


def _errors(history: History, driver: str, uid: str, began: Event, vain: Event) -> list[str]:
    """What the driver said to each call of the kubelet for a claim; "" for a good answer, and for none of its own."""

    def asked(event: Event) -> bool:
        call = (event["phase"], event["method"], event["driver"], event["source"])
        named = event.seq < vain.seq and call == ("end", "NodePrepareResources", driver, "kubelet")
        return named and uid in {claim["uid"] for claim in event["request"]["claims"]}

    answers = [Answer.from_event(event.data) for event in history.events("rpc", asked, began.seq)]
    return [_error(answer, uid) for answer in answers]


def _error(answer: Answer, uid: str) -> str:
    if answer.code == "OK":
        return answer.entries[uid].error if uid in answer.entries else ""
    alone = len(answer.asked) == 1
    return answer.error if alone and answer.code not in _NOT_ANSWERED else ""


def is_valid(spec: Object, target: Target) -> bool:
    """Whether a claim asks for what the driver file says, and no more."""
    return _plain(spec) == _plain(target.claim_spec())


def _plain(spec: Object) -> Object:
    """The spec without what the API server puts in by default."""
    requests = [
        {**request, "exactly": {**_DEFAULTS, **request["exactly"]}} if "exactly" in request else request
        for request in spec["devices"]["requests"]
    ]
    return {**spec, "devices": {**spec["devices"], "requests": requests}}


def _offered(history: History, driver: str, vain: Event) -> set[tuple[str, str]]:
    """The devices without taints that the driver's slices had then, as pool and name."""
    slices: dict[str, Object] = {}
    for event in history.events("api", lambda event: event["resource"] == "resourceslices" and event.seq < vain.seq):
        slices[event["object"]["metadata"]["name"]] = {} if event["type"] == "DELETED" else event["object"]["spec"]
    return {
        (spec["pool"]["name"], device["name"])
        for spec in slices.values()
        if spec.get("driver") == driver
        for device in spec.get("devices") or ()
        if not device.get("taints")
    }
