"""What the scheduler and the controllers write about pods: events and conditions."""

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from conformance.cluster.api_errors import AlreadyExists, ApiError
from conformance.cluster.embedded.apiserver.objects import timestamp

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store


def emit(
    store: "Store", pod: dict[str, Any], component: str, kind: str, reason: str, message: str, *, action: str = ""
) -> None:
    """Record an event about a pod; the same one again is counted. One that cannot be stored is dropped.

    kind: Normal or Warning; action: what was done, of components that record events of events.k8s.io.
    """
    event = _event(pod, component, kind, reason, message)
    if action:
        event |= {
            "action": action,
            "eventTime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "reportingInstance": component,
        }
    else:
        now = timestamp()
        source = {"source": {"component": component}}
        event |= {**source, "firstTimestamp": now, "lastTimestamp": now, "count": 1, "reportingInstance": ""}
    meta = event["metadata"]
    try:
        store.create("events", event, meta["namespace"])
    except AlreadyExists:
        _count(store, meta["name"], meta["namespace"])
    except ApiError:
        # The namespace is gone or going: nobody will read it.
        return


def _event(pod: dict[str, Any], component: str, kind: str, reason: str, message: str) -> dict[str, Any]:
    meta = pod["metadata"]
    what = "\0".join([meta["uid"], component, kind, reason, message])
    return {
        "metadata": {
            "name": f"{meta['name']}.{hashlib.sha256(what.encode()).hexdigest()[:16]}",
            "namespace": meta["namespace"],
        },
        "involvedObject": {
            "apiVersion": "v1",
            "kind": "Pod",
            "namespace": meta["namespace"],
            "name": meta["name"],
            "uid": meta["uid"],
        },
        "type": kind,
        "reason": reason,
        "message": message,
        "reportingComponent": component,
    }


def _count(store: "Store", name: str, namespace: str) -> None:
    def again(event: dict[str, Any]) -> None:
        if event.get("eventTime"):
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            seen = (event.get("series") or {}).get("count", 1)
            event["series"] = {"count": seen + 1, "lastObservedTime": now}
        else:
            event |= {"count": event.get("count", 1) + 1, "lastTimestamp": timestamp()}

    try:
        store.modify("events", name, namespace, again)
    except ApiError:
        # Somebody has deleted it meanwhile.
        return


def set_condition(status: dict[str, Any], condition: dict[str, Any]) -> bool:
    """Put a condition into a status; False when it is there already. The time of its last transition is kept up."""
    conditions: list[dict[str, Any]] = status.setdefault("conditions", [])
    old = next((item for item in conditions if item["type"] == condition["type"]), None)
    if old and all(old.get(key) == value for key, value in condition.items()):
        return False
    same = old is not None and old["status"] == condition["status"]
    new = {**condition, "lastTransitionTime": old["lastTransitionTime"] if old and same else timestamp()}
    if old is None:
        conditions.append(new)
    else:
        conditions[conditions.index(old)] = new
    return True
