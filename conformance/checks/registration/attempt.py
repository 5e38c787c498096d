"""What came of the kubelet's attempt to register the driver, read off the history."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.cluster import Installation, Node, seen_within
from conformance.cluster.diagnosis import DRA_IS_OFF, NO_HANDLER
from conformance.history import Event, History
from conformance.verdict import Inconclusive

LATE = "DEADLINE_EXCEEDED"


@dataclass(frozen=True)
class Attempt:
    """One attempt. `trouble` says in words what went wrong before the driver could be asked, "" when it was.

    socket: the registration socket, as it is seen from here.
    """

    trouble: str = ""
    socket: Path = Path()
    get_info_error: str = ""
    get_info_seconds: float = 0.0
    info: dict[str, Any] = field(default_factory=dict)
    notify_error: str = ""

    @property
    def supported_versions(self) -> list[str]:
        """Services that the driver says it serves."""
        return list(self.info.get("supported_versions") or [])

    @property
    def too_slow(self) -> bool:
        """Whether GetInfo took longer than the kubelet waits."""
        return self.get_info_error.startswith(LATE)

    @property
    def notified_too_slowly(self) -> bool:
        """Whether NotifyRegistrationStatus took longer than the kubelet waits."""
        return self.notify_error.startswith(LATE)


def wait_attempt(history: History, node: Node, driver: Installation, timeout: float) -> Attempt:
    """Wait until the kubelet told the driver how its registration ended, or until it is clear that it will not.

    Where calls of the kubelet cannot be seen, until the driver has answered a GetInfo of ours. Another name than the
    driver's is looked at only when that time is over, as it may be that of a second driver of the same installation.
    Raises Inconclusive when the kubelet got a good answer and did nothing with it, or knows nothing of DRA: that is not
    the driver's fault.
    """
    name = driver.target.driver_name
    awaited = "NotifyRegistrationStatus" if node.sees_calls else "GetInfo"
    seen_within(lambda: _last(history, node.name, awaited, name) or not driver.instances, timeout)
    whose = name if _last(history, node.name, "GetInfo", name) else None
    info, told = (_last(history, node.name, method, whose) for method in ("GetInfo", "NotifyRegistrationStatus"))
    if info is None:
        return Attempt(trouble=driver.trouble() or f"the kubelet found no registration socket within {timeout:g} s")
    answer = {
        "socket": Path(info["instance"]),
        "get_info_error": _error(info),
        "get_info_seconds": info["seconds"],
        "info": info["response"] or {},
    }
    if told:
        refusal = str((told["request"] or {}).get("error", ""))
        if NO_HANDLER in refusal:
            raise Inconclusive(f"the kubelet of node {node.name} refuses the driver: {DRA_IS_OFF}")
        return Attempt(**answer, notify_error=_error(told) or refusal)
    if answer["get_info_error"]:
        return Attempt(**answer, notify_error="not asked, as GetInfo failed")
    if not driver.instances:
        return Attempt(**answer, notify_error=driver.trouble())
    if not node.sees_calls:
        return Attempt(**answer)
    raise Inconclusive(f"GetInfo was answered, but the kubelet did not say within {timeout:g} s what came of it")


def _last(history: History, node: str, method: str, driver: str | None = None) -> Event | None:
    """The last such call to the driver of that name, or to any."""

    def ended(event: Event) -> bool:
        return (event["node"], event["phase"], event["method"]) == (node, "end", method)

    def named(event: Event) -> bool:
        return driver is None or driver in (event["driver"], (event["response"] or {}).get("name"))

    return history.last("rpc", lambda event: ended(event) and named(event))


def _error(event: Event) -> str:
    return "" if event["code"] == "OK" else f"{event['code']}: {event['details']}"
