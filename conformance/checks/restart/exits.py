"""Processes of the driver that ended although nobody told them to, found in the history."""

from collections.abc import Iterable
from dataclasses import dataclass

from conformance.check import Tier
from conformance.history import Event


@dataclass(frozen=True)
class Exit:
    """A process that ended by itself.

    status: exit status, negative for a signal; check: id of the check that ran last; undisturbed: every check since the
    process was started disturbs nothing, so that only the calls of a kubelet can have been the cause.
    """

    status: int
    check: str
    undisturbed: bool

    def __str__(self) -> str:
        return f"ended with status {self.status} during {self.check or 'start-up'}"


def exits(events: Iterable[Event], driver: str) -> list[Exit]:
    """Exits of the driver's processes that no signal of the harness came before, in order."""
    told: set[int] = set()
    disturbed: dict[int, bool] = {}  # living processes; what a check did to one may show long after the check
    check, disturbs = "", False
    found = []
    for event in events:
        if event.kind == "check" and event["phase"] == "start":
            check, disturbs = event["id"], event["tier"] != Tier.OBSERVE.value
            disturbed = {pid: before or disturbs for pid, before in disturbed.items()}
        if event.kind != "process" or event["name"] != driver:
            continue
        pid = event["pid"]
        match event["phase"]:
            case "started":
                disturbed[pid] = disturbs
            case "signalled":
                told.add(pid)
            case "exited":
                touched = disturbed.pop(pid, True)
                if pid not in told:
                    found.append(Exit(event["status"], check, not touched))
                told.discard(pid)
    return found
