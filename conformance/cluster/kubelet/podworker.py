"""The life of one pod on a node: prepare, containers, status; at the end unprepare and deletion (pod_workers.go)."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.cluster.api import Api, ApiError, Conflict, NotFound
from conformance.cluster.kubelet import status
from conformance.cluster.kubelet.dra import DraError, DraManager
from conformance.cluster.kubelet.events import Events
from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.podclaims import uses_claims
from conformance.cluster.kubelet.resource_status import allocated_resources
from conformance.cluster.kubelet.runtime import ContainerError, Runtime
from conformance.cluster.kubelet.settings import KubeletSettings, growing
from conformance.cluster.kubelet.status import Waiting
from conformance.history import History

Object = dict[str, Any]
_ADDRESS = "127.0.0.1"


@dataclass(frozen=True)
class Workplace:
    """What all pod workers of a node share; `cancel_calls` cancels the call that a thread waits for."""

    node: str
    api: Api
    events: Events
    dra: DraManager
    runtime: Runtime
    history: History
    settings: KubeletSettings
    stopping: threading.Event
    health: HealthBook
    cancel_calls: Callable[[int], None]

    def told(self, action: str, pod: Object, **details: Any) -> None:
        """Record what happened to a pod."""
        meta = pod["metadata"]
        name = f"{meta['namespace']}/{meta['name']}"
        self.history.record("kubelet", node=self.node, action=action, pod=name, uid=meta["uid"], **details)

    def event(self, pod: Object, reason: str, message: str) -> None:
        """Tell of a Warning event about the pod; where that fails, the pod goes on without."""
        try:
            self.events.warn(pod, reason, message)
        except ApiError as error:
            self.told("event_failed", pod, details=str(error))

    def set_status(self, pod: Object, new: Object) -> None:
        """Write a pod's status. Raises ApiError."""
        meta = pod["metadata"]
        self.api.patch("pods", meta["name"], {"status": new}, meta["namespace"], subresource="status")


class PodWorker:
    """One pod, in a thread of its own; `finished` is called when nothing of it is left."""

    def __init__(self, pod: Object, place: Workplace, finished: Callable[["PodWorker"], None]) -> None:
        self.uid: str = pod["metadata"]["uid"]
        self._pod = pod
        self._place = place
        self._finished = finished
        self._condition = threading.Condition()
        self._dirty = True
        self._deleted = False
        self._stopping = False
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name=f"pod {pod['metadata']['name']}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, leaving the pod as it is."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        self._thread.join()

    @property
    def pod(self) -> Object:
        """The pod as it was last seen."""
        with self._condition:
            return self._pod

    @property
    def deleted(self) -> bool:
        """Whether the pod is gone from the API server, as far as it was told."""
        with self._condition:
            return self._deleted

    def update(self, pod: Object, *, deleted: bool = False) -> None:
        """The pod changed, or is gone from the API server. A change of more than its status is acted on at once."""
        with self._condition:
            ending = not (self._deleted or _ends(self._pod)) and (deleted or _ends(pod))
            self._dirty = self._dirty or deleted or _differs(self._pod, pod)
            self._pod = pod
            self._deleted = self._deleted or deleted
            self._condition.notify_all()
        if ending:  # the kubelet does not wait for a driver that prepares a pod nobody wants any more
            self._place.cancel_calls(self._thread.ident or 0)

    def refresh(self) -> None:
        """Something that its status shows may have changed."""
        with self._condition:
            self._dirty = True
            self._condition.notify_all()

    def _run(self) -> None:
        while True:
            with self._condition:
                if self._stopping:
                    return
                self._dirty = False
                pod, deleted = self._pod, self._deleted
            try:
                delay = self._sync(pod, deleted)
            except ApiError as error:
                self._place.told("sync_failed", pod, details=str(error))
                delay = self._retry(self._place.settings.unprepare_retry, self._place.settings.unprepare_retry_max)
            if delay is not None and delay < 0:
                self._finished(self)
                return
            self._wait(delay)

    def _wait(self, delay: float | None) -> None:
        deadline = None if delay is None else time.monotonic() + delay
        with self._condition:
            while not (self._dirty or self._stopping):
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    return
                self._condition.wait(left)

    def _retry(self, first: float, most: float) -> float:
        self._failures += 1
        return growing(first, most, self._failures)

    def _sync(self, pod: Object, deleted: bool) -> float | None:
        """Bring the pod nearer to what it should be; seconds until the next try, None: on change, negative: done."""
        if deleted or _ends(pod):
            return self._terminate(pod, deleted)
        if (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed"):
            return None
        if not self._place.runtime.has_sandbox(self.uid):
            delay = self._make_sandbox(pod)
            if delay is not None:
                return delay
        return self._make_containers(pod)

    def _make_sandbox(self, pod: Object) -> float | None:
        place, settings = self._place, self._place.settings
        try:
            place.dra.prepare(pod)
        except DraError as error:
            if place.stopping.is_set():  # cut off by our own stop, which is nothing to tell of
                return None
            text = f"Failed to prepare dynamic resources: {error}"
            place.told("prepare_failed", pod, details=str(error))
            place.event(pod, "FailedPrepareDynamicResources", text)
            place.set_status(pod, status.pending(pod, Waiting("ContainerCreating")))
            return self._retry(settings.prepare_retry, settings.prepare_retry_max)
        self._failures = 0
        place.runtime.create_sandbox(self.uid)
        return None

    def _make_containers(self, pod: Object) -> float | None:
        place = self._place
        if place.stopping.is_set():
            return None
        for spec in all_containers(pod):
            if place.runtime.container(self.uid, spec["name"]) is not None:
                continue
            try:
                self._create(pod, spec)
            except (DraError, ContainerError) as error:
                place.told("container_failed", pod, container=spec["name"], details=str(error))
                place.event(pod, "Failed", f"Error: {error}")
                waiting = Waiting("CreateContainerError", str(error), spec["name"])
                resources = allocated_resources(pod, place.dra, place.health)
                place.set_status(pod, status.pending(pod, waiting, resources))
                return self._retry(place.settings.unprepare_retry, place.settings.unprepare_retry_max)
        self._failures = 0
        self._show_running(pod)
        return place.settings.resync_period if uses_claims(pod) else None

    def _show_running(self, pod: Object) -> None:
        place = self._place
        resources = allocated_resources(pod, place.dra, place.health)
        was_running = (pod.get("status") or {}).get("phase") == "Running"
        if not was_running or status.shown_resources(pod) != resources:
            place.set_status(pod, status.running(pod, _ADDRESS, resources))
        if not was_running:
            place.told("pod_running", pod)

    def _create(self, pod: Object, spec: Object) -> None:
        place = self._place
        cdi_ids = place.dra.cdi_ids(pod, spec)
        made = place.runtime.create(self.uid, spec["name"], environment(pod, spec, place.node), cdi_ids)
        hooks = [dict(hook) for hook in made.hooks]
        place.told("container_created", pod, container=spec["name"], cdi_ids=list(cdi_ids), hooks=hooks)

    def _terminate(self, pod: Object, deleted: bool) -> float | None:
        place, settings = self._place, self._place.settings
        place.runtime.remove(self.uid)
        try:
            place.dra.unprepare(pod)
        except DraError as error:
            if place.stopping.is_set():
                return None
            place.told("unprepare_failed", pod, details=str(error))
            return self._retry(settings.unprepare_retry, settings.unprepare_retry_max)
        if not deleted:
            self._delete(pod)
        place.events.forget(self.uid)
        place.told("pod_gone", pod)
        return -1

    def _delete(self, pod: Object) -> None:
        meta = pod["metadata"]
        try:
            self._place.set_status(pod, status.finished(pod))
            self._place.api.delete("pods", meta["name"], meta["namespace"], grace_period_seconds=0, uid=self.uid)
        except (NotFound, Conflict):
            return  # force-deleted meanwhile, perhaps replaced by another of that name


def all_containers(pod: Object) -> list[Object]:
    """Init containers, then the others."""
    return [*(pod["spec"].get("initContainers") or ()), *pod["spec"]["containers"]]


def environment(pod: Object, container: Object, node: str) -> dict[str, str]:
    """A container's variables from its spec: values, and the pod fields that are most used."""
    meta = pod["metadata"]
    fields = {
        "metadata.name": meta["name"],
        "metadata.namespace": meta["namespace"],
        "metadata.uid": meta["uid"],
        "spec.nodeName": node,
        "status.hostIP": _ADDRESS,
        "status.podIP": _ADDRESS,
    }
    found = {}
    for entry in container.get("env") or ():
        path = str(((entry.get("valueFrom") or {}).get("fieldRef") or {}).get("fieldPath", ""))
        if path in fields or "valueFrom" not in entry:
            found[entry["name"]] = str(fields.get(path, entry.get("value", "")))
    return found


def _ends(pod: Object) -> bool:
    return bool(pod["metadata"].get("deletionTimestamp"))


def _differs(old: Object, new: Object) -> bool:
    """Whether the kubelet acts on the change: its own status updates are no news to it."""
    keys = ("annotations", "labels", "deletionTimestamp", "deletionGracePeriodSeconds")
    return old["spec"] != new["spec"] or any(old["metadata"].get(key) != new["metadata"].get(key) for key in keys)
