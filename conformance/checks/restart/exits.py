"""Processes of the driver that ended although nobody told them to, found in the history."""

from collections.abc import Iterable
from dataclasses import dataclass

from conformance.check import Tier
from conformance.history import Event


@dataclass(frozen=True)
class Exit:
    """A process that ended by itself: its exit status (negative for a signal), and the check that ran last."""

    status: int
    check: str
    tier: str

    def __str__(self) -> str:
        return f"ended with status {self.status} during {self.check or 'start-up'}"

    @property
    def undisturbed(self) -> bool:
        """Whether the check that ran disturbs nothing, so that only the calls of a kubelet can have been the cause."""
        return self.tier == Tier.OBSERVE.value


def exits(events: Iterable[Event], driver: str) -> list[Exit]:
    """Exits of the driver's processes that no signal of the harness came before, in order."""
    told: set[int] = set()
    check, tier = "", ""
    found = []
    for event in events:
        if event.kind == "check" and event["phase"] == "start":
            check, tier = event["id"], event["tier"]
        if event.kind != "process" or event["name"] != driver:
            continue
        if event["phase"] == "signalled":
            told.add(event["pid"])
        if event["phase"] == "exited" and event["pid"] not in told:
            found.append(Exit(event["status"], check, tier))
    return found
