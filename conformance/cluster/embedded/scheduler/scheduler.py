"""The scheduler: a thread that gives pods a node and their claims devices, whenever something relevant changes."""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.scheduler import allocator, conditions, podstatus
from conformance.cluster.embedded.scheduler.backoff import Backoff
from conformance.cluster.embedded.scheduler.events import emit
from conformance.cluster.embedded.scheduler.feed import Change, FeedThread
from conformance.cluster.embedded.scheduler.hints import Hints
from conformance.cluster.embedded.scheduler.holdings import Holdings
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.placement import Timeouts, place
from conformance.cluster.embedded.scheduler.podclaims import NotYet, done
from conformance.cluster.embedded.scheduler.unschedulable import NoPlacement
from conformance.cluster.embedded.scheduler.watched import Watched
from conformance.history import History

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store

NAME = "default-scheduler"
_RESOURCES = ("pods", "resourceclaims", "resourceslices", "deviceclasses", "nodes", "devicetaintrules")


@dataclass(frozen=True)
class SchedulerSettings:
    """Seconds that the scheduler gives a search for devices on one node, and devices to be ready for binding."""

    filter_timeout: float = allocator.TIMEOUT
    binding_timeout: float = conditions.BINDING_TIMEOUT


class Scheduler:
    """Schedules the pods of a store that name no node; start and stop it once."""

    def __init__(self, store: "Store", history: History, settings: SchedulerSettings | None = None) -> None:
        self._store = store
        settings = settings or SchedulerSettings()
        self._timeouts = Timeouts(settings.filter_timeout, settings.binding_timeout)
        self._thread = FeedThread("scheduler", store, history, _RESOURCES)
        # Pods without a node, in the order in which they came, and those that are chosen a node for but not bound yet.
        self._pending: dict[Key, Json] = {}
        self._binding: dict[Key, str] = {}
        # The version of a pod that this scheduler wrote last: its own writes are no reason to try again.
        self._own: dict[Key, str] = {}
        self._watched = Watched(store)
        self._holdings = Holdings(store)
        self._backoff = Backoff()
        self._hints = Hints()

    def start(self) -> None:
        """Start scheduling."""
        self._thread.start(self._work)

    def stop(self) -> None:
        """Stop after the pod that is being scheduled; may be called twice."""
        self._thread.stop()

    def _work(self, changes: list[Change]) -> float | None:
        due: dict[Key, None] = {}
        for change in changes:
            helped = self._thread.attempt(str(change), self._note, change)
            due.update(dict.fromkeys(helped or ()))
        due.update(dict.fromkeys(self._backoff.over()))
        # Without a change, it is a device that may not have been made ready in time.
        for key in due or dict.fromkeys(self._binding):
            if not self._backoff.waits(key):
                self._thread.attempt(f"pod {key[0]}/{key[1]}", self._try, key)
        waits = [self._patience(key) for key in self._binding]
        return min([*waits, *self._backoff.seconds()], default=None)

    def _note(self, change: Change) -> list[Key]:
        """Keep track of a change; the pods that are to be tried because of it."""
        own = [key_of(change.object)] if change.resource == "pods" and self._note_pod(change) else []
        return [*own, *self._hints.helped(change, self._pending)]

    def _patience(self, key: Key) -> float:
        with suppress(NotYet):
            claims = self._holdings.all(self._pending[key])
            return max(conditions.seconds_left(claims, self._timeouts.binding), 0.0) + 0.01
        return self._timeouts.binding

    def _note_pod(self, change: Change) -> bool:
        """Keep track of a pod; whether it is to be scheduled now."""
        pod, key = change.object, key_of(change.object)
        if change.type == "DELETED" or not _wanted(pod):
            self._pending.pop(key, None)
            self._binding.pop(key, None)
            self._own.pop(key, None)
            self._backoff.forget(key)
            return False
        known = self._pending.get(key)
        if known and known["metadata"]["uid"] != pod["metadata"]["uid"]:
            self._binding.pop(key, None)
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
        except conditions.BindingFailed as problem:
            self._give_up(pod, key, str(problem))
        except ApiError:
            # Somebody else changed or deleted an object meanwhile; that change comes here, too, and starts a new try.
            return

    def _schedule(self, pod: Json, key: Key) -> None:
        node = self._binding.get(key)
        if node is None:
            claims = self._holdings.named(pod)
            placement = place(pod, claims, self._watched.world(self._binding), self._timeouts)
            node = placement.node
            if claims or placement.extended:
                self._wrote(key, podstatus.nominate(self._store, pod, node))
            claims = self._holdings.bind(pod, claims, placement)
        else:
            claims = self._holdings.all(pod)
        if key not in self._binding and any(map(conditions.conditional, claims)):
            text = f"waiting for binding conditions for device on node {node}"
            emit(self._store, dict(pod), NAME, "Normal", "BindingConditionsPending", text, action="Scheduling")
            self._binding[key] = node
        if not conditions.ready(claims, self._timeouts.binding):
            return
        self._store.bind(key[1], key[0], node)
        self._pending.pop(key, None)
        self._binding.pop(key, None)
        self._backoff.forget(key)
        text = f"Successfully assigned {'/'.join(key)} to {node}"
        emit(self._store, dict(pod), NAME, "Normal", "Scheduled", text, action="Binding")

    def _report(self, pod: Json, key: Key, problem: NoPlacement) -> None:
        """Tell the user why, once for each reason, and what was done about it."""
        self._tell(pod, key, problem.reason, problem.told(self._holdings.free_one(pod, problem)))

    def _give_up(self, pod: Json, key: Key, text: str) -> None:
        self._binding.pop(key, None)
        self._backoff.add(key)
        self._tell(pod, key, "SchedulerError", f'running PreBind plugin "DynamicResources": {text}')
        self._holdings.unreserve(pod)

    def _tell(self, pod: Json, key: Key, reason: str, message: str) -> None:
        written, changed = podstatus.not_scheduled(self._store, pod, reason, message)
        self._wrote(key, written)
        if changed:
            emit(self._store, dict(pod), NAME, "Warning", "FailedScheduling", message, action="Scheduling")

    def _wrote(self, key: Key, pod: Json | None) -> None:
        if pod is not None:
            self._own[key] = pod["metadata"]["resourceVersion"]


def _wanted(pod: Json) -> bool:
    spec = pod.get("spec") or {}
    return (
        not spec.get("nodeName")
        and not spec.get("schedulingGates")
        and spec.get("schedulerName") in (None, "", NAME)
        and not pod["metadata"].get("deletionTimestamp")
        and not done(pod)
    )
