"""Pods that were never gone, as the driver refused again and again to unprepare their claims: read off the history."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.check import Tier
from conformance.cluster import Answer, ClaimRef
from conformance.history import Event, History

REFUSALS = 3  # a driver may fail and do better when it is asked again
_NOT_ANSWERED = {"UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED"}
_KINDS = ("check", "disturb", "error", "leak", "request", "rpc")


@dataclass
class _Window:
    """A check that disturbs nothing, so far: claims prepared in it, and what was said of each when it was to go."""

    check: str
    prepared: set[ClaimRef] = field(default_factory=set)
    refusals: dict[ClaimRef, list[str]] = field(default_factory=lambda: defaultdict(list))

    def take(self, event: Event) -> None:
        """Take a call to the driver into account."""
        for claim, error in _said(event):
            if event["method"] == "NodePrepareResources":
                if error == "":
                    self.prepared.add(claim)
            elif error == "":
                self.refusals.pop(claim, None)
            elif error and event["source"] == "kubelet":
                self.refusals[claim].append(error)

    def refused(self, namespace: str) -> Iterator[str]:
        """What holds a pod of this namespace back, as "check: claim: what the driver said"."""
        for claim, errors in self.refusals.items():
            if claim.namespace == namespace and claim in self.prepared and len(errors) >= REFUSALS:
                yield f"{self.check}: claim {claim.name}: {errors[-1]}"


def refused(history: History, driver: str) -> list[str]:
    """Each claim that the driver did not unprepare until its pod, which was waited for, had to be forced out.

    Only where nothing else can be why: it was prepared and refused in one check, which disturbed nothing, and until
    then the cluster was sound and the API server refused none of the driver's requests.
    """
    found: dict[str, None] = {}
    window: _Window | None = None
    for event in history.events(where=lambda event: event.kind in _KINDS):
        if event.kind == "check" and event["phase"] == "start":
            window = _Window(event["id"]) if event["tier"] == Tier.OBSERVE else None
        elif _is_in_the_way(event):
            window = None
        elif window and event.kind == "rpc" and (event["phase"], event["driver"]) == ("end", driver):
            window.take(event)
        elif window and event.kind == "leak" and event["what"] == "pods":
            found |= dict.fromkeys(window.refused(event["where"].partition("/")[0]))
    return list(found)


def _is_in_the_way(event: Event) -> bool:
    """Whether from here on something else may be why."""
    refusal = event.kind == "request" and event["code"] >= 400 and event["code"] not in (404, 409)
    return refusal or event.kind in ("error", "disturb")


def _said(event: Event) -> Iterator[tuple[ClaimRef, str | None]]:
    """The error for each claim of a call; None where the driver did not answer for it."""
    if event["method"] not in ("NodePrepareResources", "NodeUnprepareResources"):
        return
    answer = Answer.from_event(event.data)
    for claim in answer.asked:
        if answer.code == "OK":
            yield claim, answer.entries[claim.uid].error if claim.uid in answer.entries else None
        else:
            yield claim, answer.error if answer.code not in _NOT_ANSWERED else None
