"""The scheduler: a thread that gives pods a node and their claims devices, whenever something relevant changes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.cluster.api_errors import ApiError, NotFound
from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.scheduler import allocator, binding
from conformance.cluster.embedded.scheduler.events import emit, set_condition
from conformance.cluster.embedded.scheduler.feed import Change, FeedThread
from conformance.cluster.embedded.scheduler.model import Allocated, Json
from conformance.cluster.embedded.scheduler.placement import NoPlacement, World, place
from conformance.cluster.embedded.scheduler.podclaims import NotYet, claims_of, done
from conformance.cluster.embedded.scheduler.taintrules import with_rules
from conformance.history import History

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store

NAME = "default-scheduler"
_RESOURCES = ("pods", "resourceclaims", "resourceslices", "deviceclasses", "nodes", "devicetaintrules")


@dataclass(frozen=True)
class SchedulerSettings:
    """Seconds that the scheduler gives a search for devices on one node, and devices to be ready for binding."""

    filter_timeout: float = allocator.TIMEOUT
    binding_timeout: float = 600.0


class Scheduler:
    """Schedules the pods of a store that name no node; start and stop it once."""

    def __init__(self, store: "Store", history: History, settings: SchedulerSettings | None = None) -> None:
        self._store = store
        self._settings = settings or SchedulerSettings()
        self._thread = FeedThread("scheduler", store, history, _RESOURCES)
        # Pods without a node, in the order in which they came, and those that are chosen a node for but not bound yet.
        self._pending: dict[Key, Json] = {}
        self._binding: dict[Key, str] = {}
        # The version of a pod that this scheduler wrote last: its own writes are no reason to try again.
        self._own: dict[Key, str] = {}

    def start(self) -> None:
        """Start scheduling."""
        self._thread.start(self._work)

    def stop(self) -> None:
        """Stop after the pod that is being scheduled; may be called twice."""
        self._thread.stop()

    def _work(self, changes: list[Change]) -> float | None:
        due: dict[Key, None] = {}
        for change in changes:
            if change.resource == "pods":
                if self._note_pod(change):
                    due[key_of(change.object)] = None
            else:
                due.update(dict.fromkeys(self._pending))
        # Without a change, it is a device that may not have been made ready in time.
        for key in due or dict.fromkeys(self._binding):
            self._try(key)
        return self._settings.binding_timeout + 1 if self._binding else None

    def _note_pod(self, change: Change) -> bool:
        """Keep track of a pod; whether it is to be scheduled now."""
        pod, key = change.object, key_of(change.object)
        if change.type == "DELETED" or not _wanted(pod):
            # Other pods may wait for what it no longer needs: its claims tell when they are free.
            self._pending.pop(key, None)
            self._binding.pop(key, None)
            self._own.pop(key, None)
            return False
        self._pending[key] = pod
        return bool(self._own.get(key) != pod["metadata"]["resourceVersion"])

    def _try(self, key: Key) -> None:
        pod = self._pending.get(key)
        if pod is None:
            return
        try:
            self._schedule(pod, key)
        except NotYet:
            # Kubernetes tells the user nothing either: the pod is not in the queue yet.
            return
        except NoPlacement as problem:
            self._report(pod, key, problem)
        except binding.BindingFailed as problem:
            self._give_up(pod, key, str(problem))
        except ApiError:
            # Somebody else changed or deleted an object meanwhile; that change comes here, too, and starts a new try.
            return

    def _schedule(self, pod: Json, key: Key) -> None:
        claims = claims_of(pod, lambda name: self._claim(name, key[0]))
        node = self._binding.get(key)
        if node is None:
            placement = place(pod, claims, self._world(), timeout=self._settings.filter_timeout)
            node = placement.node
            claims = [
                binding.bind_claim(self._store, pod, claim, placement.allocations.get(claim["metadata"]["uid"]))
                for claim in claims
            ]
        if not binding.ready(claims, self._settings.binding_timeout):
            if key not in self._binding:
                text = f"waiting for binding conditions for device on node {node}"
                emit(self._store, dict(pod), NAME, "Normal", "BindingConditionsPending", text)
            self._binding[key] = node
            return
        self._store.bind(key[1], key[0], node)
        self._pending.pop(key, None)
        self._binding.pop(key, None)
        emit(self._store, dict(pod), NAME, "Normal", "Scheduled", f"Successfully assigned {'/'.join(key)} to {node}")

    def _claim(self, name: str, namespace: str) -> dict[str, Any] | None:
        try:
            return self._store.get("resourceclaims", name, namespace)
        except NotFound:
            return None

    def _world(self) -> World:
        classes = {item["metadata"]["name"]: item for item in self._all("deviceclasses")}
        slices = with_rules(list(self._all("resourceslices")), self._all("devicetaintrules"))
        return World(list(self._all("nodes")), slices, classes, Allocated.of(self._all("resourceclaims")))

    def _all(self, resource: str) -> Iterable[Json]:
        return self._store.view(resource, self._store.selection(resource))[0]

    def _report(self, pod: Json, key: Key, problem: NoPlacement) -> None:
        """Tell the user why, once for each reason; free a claim that no node can use and only this pod holds."""
        self._condition(pod, key, problem.reason, str(problem))
        for claim in claims_of(pod, lambda name: self._claim(name, key[0])):
            holders = (claim.get("status") or {}).get("reservedFor") or []
            others = [entry for entry in holders if entry["uid"] != pod["metadata"]["uid"]]
            if claim["metadata"]["uid"] in problem.unavailable and not others:
                binding.release(self._store, claim)
                return

    def _give_up(self, pod: Json, key: Key, text: str) -> None:
        self._binding.pop(key, None)
        self._condition(pod, key, "SchedulerError", f'running PreBind plugin "DynamicResources": {text}')
        for claim in claims_of(pod, lambda name: self._claim(name, key[0])):
            binding.release(self._store, claim)

    def _condition(self, pod: Json, key: Key, reason: str, message: str) -> None:
        condition = {"type": "PodScheduled", "status": "False", "reason": reason, "message": message}
        changed = False

        def change(obj: dict[str, Any]) -> None:
            nonlocal changed
            status = obj.setdefault("status", {})
            status.setdefault("phase", "Pending")
            changed = set_condition(status, condition)

        try:
            written = self._store.modify("pods", key[1], key[0], change, status=True)
        except ApiError:
            # The pod is gone, or going.
            return
        self._own[key] = written["metadata"]["resourceVersion"]
        if changed:
            emit(self._store, dict(pod), NAME, "Warning", "FailedScheduling", message)


def _wanted(pod: Json) -> bool:
    spec = pod.get("spec") or {}
    return (
        not spec.get("nodeName")
        and not spec.get("schedulingGates")
        and spec.get("schedulerName") in (None, "", NAME)
        and not pod["metadata"].get("deletionTimestamp")
        and not done(pod)
    )
