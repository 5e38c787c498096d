"""How far the start of a pod has come, by its status and its events."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.cluster import Pod, seen_within

ENOUGH = 3  # failed tries after which no other one is waited for
_NOT_YET = ("", "ContainerCreating", "PodInitializing")
_CALLED = "NodePrepareResources"


def prepared(pod: Pod) -> bool:
    """Whether the kubelet is through with preparing its claims: it makes sandbox and containers only after that."""
    status = pod.get().get("status") or {}
    rows = (*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ()))
    ready = [row for row in status.get("conditions") or () if row["type"] == "PodReadyToStartContainers"]
    return any(map(_was_begun, rows)) or any(row["status"] == "True" for row in ready)


def failures(pod: Pod) -> Sequence[str]:
    """What the kubelet says of its failed tries to have the claims prepared, each text as often as it was told."""
    rows = [event for event in pod.events() if event.get("reason") == "FailedPrepareDynamicResources"]
    return [str(event.get("message", "")) for event in rows for _ in range(_count(event))]


def wait_prepared(pod: Pod, timeout: float) -> bool:
    """Whether its claims get prepared in time, before so many tries have failed that no other one is waited for."""
    seen_within(lambda: prepared(pod) or len(failures(pod)) >= ENOUGH, timeout)
    return prepared(pod)


def is_answered(pod: Pod) -> bool:
    """Whether the kubelet has called a driver for it, however that ended."""
    return prepared(pod) or any(_CALLED in text for text in failures(pod))


def unregistered(pod: Pod, driver: str) -> str:
    """What the kubelet says when it knows no plugin of the driver, "" when it does not say that."""
    said = f"DRA driver {driver} is not registered"
    return next((text for text in failures(pod) if said in text), "")


def wait_running(pod: Pod, timeout: float) -> bool:
    """Whether it runs in time, before the runtime has refused its CDI devices so often that it will not help."""
    seen_within(lambda: pod.phase == "Running" or len(refusals(pod)) >= ENOUGH, timeout)
    return pod.phase == "Running"


def refusals(pod: Pod) -> Sequence[str]:
    """What the runtime says of CDI devices that it does not find, each text as often as it was told."""
    rows = [event for event in pod.events() if _is_about_cdi(str(event.get("message", "")))]
    return [str(event["message"]) for event in rows for _ in range(_count(event))]


def last(texts: Sequence[str]) -> str:
    """The last of them, "" where there is none."""
    return texts[-1] if texts else ""


def _was_begun(row: Mapping[str, Any]) -> bool:
    state = row.get("state") or {}
    waits = (state.get("waiting") or {}).get("reason", "") if "waiting" in state else ""
    return bool(row.get("containerID")) or "running" in state or waits not in _NOT_YET


def _is_about_cdi(text: str) -> bool:
    return bool(re.search(r"unresolvable CDI devices|CDI device injection failed", text))


def _count(event: Mapping[str, Any]) -> int:
    return int(event.get("count") or (event.get("series") or {}).get("count") or 1)
