"""What came of the kubelet's attempt to register the driver, read off the history."""

from dataclasses import dataclass, field
from typing import Any

from conformance.cluster import Installation, Node
from conformance.history import Event, History
from conformance.verdict import Inconclusive


@dataclass(frozen=True)
class Attempt:
    """One attempt. `trouble` says in words what went wrong before the driver could be asked, "" when it was."""

    trouble: str = ""
    get_info_error: str = ""
    get_info_seconds: float = 0.0
    info: dict[str, Any] = field(default_factory=dict)
    notified: bool = False
    notify_error: str = ""

    @property
    def supported_versions(self) -> list[str]:
        """Services that the driver says it serves."""
        return list(self.info.get("supported_versions") or [])


def wait_attempt(history: History, node: Node, driver: Installation, timeout: float) -> Attempt:
    """Wait until the kubelet told the driver how its registration ended, or until it is clear that it will not.

    Raises Inconclusive when the kubelet got a good answer and did nothing with it: that is not the driver's fault.
    """

    def asked(event: Event) -> bool:
        return event["node"] == node.name and event["phase"] == "end" and event["method"] in _REGISTRATION

    told = history.wait("rpc", lambda e: asked(e) and e["method"] == "NotifyRegistrationStatus", timeout=timeout)
    info = history.last("rpc", lambda e: asked(e) and e["method"] == "GetInfo")
    if info is None:
        return Attempt(trouble=_nothing_asked(driver, timeout))
    attempt = {
        "get_info_error": _error(info),
        "get_info_seconds": info["seconds"],
        "info": info["response"] or {},
    }
    if told is None:
        if attempt["get_info_error"]:
            return Attempt(**attempt, notify_error="not asked, as GetInfo failed")
        raise Inconclusive(f"GetInfo was answered, but the kubelet did not say within {timeout:g} s what came of it")
    refused = (told["request"] or {}).get("error", "")
    return Attempt(**attempt, notified=True, notify_error=_error(told) or refused)


_REGISTRATION = ("GetInfo", "NotifyRegistrationStatus")


def _error(event: Event) -> str:
    return "" if event["code"] == "OK" else f"{event['code']}: {event['details']}"


def _nothing_asked(driver: Installation, timeout: float) -> str:
    try:
        driver.wait_ready(timeout=0.1)
    except Inconclusive as reason:
        return f"no registration within {timeout:g} s; {reason}"
    return f"the kubelet found no registration socket within {timeout:g} s"
