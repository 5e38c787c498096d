"""What the scheduler writes into the status of a pod that it has not bound."""

from typing import TYPE_CHECKING, Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.scheduler.events import set_condition
from conformance.cluster.embedded.scheduler.model import Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.cluster.embedded.apiserver.store import Store


def nominate(store: "Store", pod: Json, node: str) -> Json | None:
    """Note the node that the pod is about to be bound to. None when the pod is gone."""

    def change(status: dict[str, Any]) -> None:
        status["nominatedNodeName"] = node

    return _write(store, pod, change)


def not_scheduled(store: "Store", pod: Json, reason: str, message: str) -> tuple[Json | None, bool]:
    """The condition PodScheduled says why not. The pod (None when it is gone), and whether it did not say so before."""
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": reason,
        "message": message,
        "observedGeneration": pod["metadata"].get("generation", 1),
    }
    changed = False

    def change(status: dict[str, Any]) -> None:
        nonlocal changed
        status.pop("nominatedNodeName", None)
        changed = set_condition(status, condition)

    return _write(store, pod, change), changed


def _write(store: "Store", pod: Json, change: "Callable[[dict[str, Any]], None]") -> Json | None:
    meta = pod["metadata"]

    def edit(obj: dict[str, Any]) -> None:
        change(obj.setdefault("status", {"phase": "Pending"}))

    try:
        return store.modify("pods", meta["name"], meta["namespace"], edit, status=True)
    except ApiError:
        # The pod is gone, or going.
        return None
