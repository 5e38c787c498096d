"""Eviction by device taints: pods that use a device with a NoExecute taint are deleted, in time.

Source: pkg/controller/devicetainteviction/device_taint_eviction.go.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.scheduler.constraints import tolerates
from conformance.cluster.embedded.scheduler.events import emit, set_condition
from conformance.cluster.embedded.scheduler.model import DeviceId, Json, PoolId, results_of
from conformance.cluster.embedded.scheduler.podclaims import NotYet, claims_of, done, reserved_for
from conformance.cluster.embedded.scheduler.pools import generation, pool_id
from conformance.cluster.embedded.scheduler.taintrules import with_rules

NAME = "device-taint-eviction"
_CONDITION = {
    "type": "DisruptionTarget",
    "status": "True",
    "reason": "DeletionByDeviceTaintManager",
    "message": "Device Taint manager: deleting due to NoExecute taint",
}


class Evictions:
    """Deletes pods when their time has come; a pod whose taint goes away before that is told so."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._marked: dict[Key, str] = {}

    def check(self) -> float | None:
        """Look at all pods; returns the seconds until the next one is due."""
        taints = self._evicting_taints()
        now = datetime.now(UTC)
        waits = []
        for pod in self._pods():
            when = self._when(pod, taints) if taints else None
            if when is None:
                self._unmark(pod)
            elif when <= now:
                self._evict(pod)
            else:
                self._mark(pod)
                waits.append((when - now).total_seconds())
        return min(waits, default=None)

    def _all(self, resource: str) -> list[Json]:
        return list(self._store.view(resource, self._store.selection(resource))[0])

    def _pods(self) -> Iterable[Json]:
        """Pods that use claims and run or will run."""
        for pod in self._all("pods"):
            spec = pod["spec"]
            ending = pod["metadata"].get("deletionTimestamp")
            if spec.get("nodeName") and spec.get("resourceClaims") and not ending and not done(pod):
                yield pod

    def _evicting_taints(self) -> dict[DeviceId, list[Json]]:
        slices = with_rules(self._all("resourceslices"), self._all("devicetaintrules"))
        newest: dict[PoolId, int] = {}
        for item in slices:
            newest[pool_id(item)] = max(generation(item), newest.get(pool_id(item), 0))
        found = {}
        for item in slices:
            for device in item["spec"].get("devices") or () if generation(item) == newest[pool_id(item)] else ():
                taints = [taint for taint in device.get("taints") or () if taint.get("effect") == "NoExecute"]
                if taints:
                    found[DeviceId(*pool_id(item), device["name"])] = taints
        return found

    def _when(self, pod: Json, taints: dict[DeviceId, list[Json]]) -> datetime | None:
        namespace = pod["metadata"]["namespace"]
        try:
            claims = claims_of(pod, lambda name: self._store.get("resourceclaims", name, namespace))
        except (ApiError, NotYet):
            return None
        times = [
            _eviction_time(taint, result.get("tolerations") or ())
            for claim in claims
            if reserved_for(claim, pod)
            for result in results_of(claim)
            for taint in taints.get(DeviceId(result["driver"], result["pool"], result["device"]), ())
        ]
        return min((time for time in times if time), default=None)

    def _mark(self, pod: Json) -> None:
        if self._marked.get(key_of(pod)) != pod["metadata"]["uid"]:
            self._marked[key_of(pod)] = pod["metadata"]["uid"]
            emit(self._store, dict(pod), NAME, "Normal", "DeviceTaintManagerEviction", "Marking for deletion")

    def _unmark(self, pod: Json) -> None:
        if self._marked.pop(key_of(pod), None) == pod["metadata"]["uid"]:
            emit(self._store, dict(pod), NAME, "Normal", "DeviceTaintManagerEviction", "Cancelling deletion")

    def _evict(self, pod: Json) -> None:
        self._mark(pod)
        self._marked.pop(key_of(pod), None)
        meta = pod["metadata"]

        def change(obj: dict[str, Any]) -> None:
            set_condition(obj.setdefault("status", {}), _CONDITION)

        try:
            self._store.modify("pods", meta["name"], meta["namespace"], change, status=True)
            self._store.delete("pods", meta["name"], meta["namespace"], uid=meta["uid"])
        except ApiError:
            # It went by itself.
            return


def _eviction_time(taint: Json, tolerations: Iterable[Json]) -> datetime | None:
    """When a user of the device has to go; None for never."""
    added = taint.get("timeAdded")
    when = datetime.fromisoformat(added.replace("Z", "+00:00")) if added else datetime.now(UTC)
    matching = [t for t in tolerations if t.get("effect") == "NoExecute" and tolerates(t, taint)]
    if any(t.get("tolerationSeconds") is None for t in matching):
        return None
    return when + timedelta(seconds=min((max(t["tolerationSeconds"], 0) for t in matching), default=0))
