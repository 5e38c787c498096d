"""What the scheduler and the controllers write about pods: events and conditions."""

import uuid
from typing import TYPE_CHECKING, Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.objects import timestamp

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store


def emit(store: "Store", pod: dict[str, Any], component: str, kind: str, reason: str, message: str) -> None:
    """Record an event about a pod; `kind` is Normal or Warning. One that cannot be stored is dropped."""
    meta, now = pod["metadata"], timestamp()
    event = {
        "metadata": {"name": f"{meta['name']}.{uuid.uuid4().hex[:16]}", "namespace": meta["namespace"]},
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
        "source": {"component": component},
        "reportingComponent": component,
        "reportingInstance": component,
        "firstTimestamp": now,
        "lastTimestamp": now,
        "count": 1,
    }
    try:
        store.create("events", event, meta["namespace"])
    except ApiError:
        # The namespace is gone or going: nobody will read it.
        return


def set_condition(status: dict[str, Any], condition: dict[str, str]) -> bool:
    """Put a condition into a status; False when it is there already. The time of its last transition is kept up."""
    conditions: list[dict[str, Any]] = status.setdefault("conditions", [])
    old = next((item for item in conditions if item["type"] == condition["type"]), None)
    if old and all(old.get(key) == value for key, value in condition.items()):
        return False
    same = old is not None and old["status"] == condition["status"]
    new = {**condition, "lastTransitionTime": old["lastTransitionTime"] if old and same else timestamp()}
    conditions[:] = [item for item in conditions if item["type"] != condition["type"]] + [new]
    return True
