"""Eviction by device taints: pods that use a device with a NoExecute taint are deleted, in time.

Source: pkg/controller/devicetainteviction/device_taint_eviction.go.
"""

from datetime import UTC, datetime
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.evictionrules import RuleStatuses
from conformance.cluster.embedded.controllers.evictiontimes import Eviction, Evictions
from conformance.cluster.embedded.scheduler.events import emit, set_condition
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json

NAME = "device-taint-eviction-controller"
_CONDITION = {
    "type": "DisruptionTarget",
    "status": "True",
    "reason": "DeletionByDeviceTaintManager",
    "message": "Device Taint manager: deleting due to NoExecute taint",
}


class EvictionController:
    """Deletes pods when their time has come, and says in the status of rules what they have come to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._statuses = RuleStatuses(store)
        # Slices with taints, and pods that will have to go, with their UIDs.
        self._tainted: set[Key] = set()
        self._waiting: dict[Key, str] = {}

    def note(self, change: Change) -> None:
        """Keep track of what there is to look at."""
        if change.resource != "resourceslices":
            return
        if change.type != "DELETED" and _tainted(change.object):
            self._tainted.add(key_of(change.object))
        else:
            self._tainted.discard(key_of(change.object))

    def check(self) -> float | None:
        """Look at all pods and rules; returns the seconds until the next one is due."""
        rules = self._all("devicetaintrules")
        if not rules and not self._waiting and not self._tainted:
            return None
        claims = [claim for claim in self._all("resourceclaims") if (claim.get("status") or {}).get("allocation")]
        pods = self._all("pods")
        evictions = Evictions(pods, claims, self._all("resourceslices"), rules)
        waits = self._statuses.update(rules, evictions)
        waits += self._pods(pods, evictions)
        return min(waits, default=None)

    def _pods(self, pods: list[Json], evictions: Evictions) -> list[float]:
        waits = []
        now = datetime.now(UTC)
        for pod in pods:
            eviction = evictions.of(pod)
            if eviction is None:
                self._cancel(pod)
            elif pod["metadata"].get("deletionTimestamp"):
                self._waiting.pop(key_of(pod), None)
            elif eviction.when <= now:
                self._evict(pod, eviction)
            else:
                self._waiting[key_of(pod)] = pod["metadata"]["uid"]
                waits.append((eviction.when - now).total_seconds())
        there = {key_of(pod) for pod in pods}
        self._waiting = {key: uid for key, uid in self._waiting.items() if key in there}
        return waits

    def _all(self, resource: str) -> list[Json]:
        return list(self._store.view(resource, self._store.selection(resource))[0])

    def _cancel(self, pod: Json) -> None:
        if self._waiting.pop(key_of(pod), None) == pod["metadata"]["uid"]:
            emit(self._store, dict(pod), NAME, "Normal", "DeviceTaintManagerEviction", "Cancelling deletion")

    def _evict(self, pod: Json, eviction: Eviction) -> None:
        self._waiting.pop(key_of(pod), None)
        meta = pod["metadata"]

        def change(obj: dict[str, Any]) -> None:
            set_condition(obj.setdefault("status", {}), _CONDITION)

        emit(self._store, dict(pod), NAME, "Normal", "DeviceTaintManagerEviction", "Marking for deletion")
        try:
            self._store.modify("pods", meta["name"], meta["namespace"], change, status=True)
            self._store.delete("pods", meta["name"], meta["namespace"], uid=meta["uid"])
        except ApiError:
            # It went by itself.
            return
        self._statuses.evicted(eviction.rules)


def _tainted(slice_: Json) -> bool:
    return any(device.get("taints") for device in slice_["spec"].get("devices") or ())
