"""All pods of a node: a worker for each, and the loop that unprepares what vanished pods left (manager.go)."""

import threading
from typing import Any

from conformance.cluster.api import ApiError
from conformance.cluster.kubelet import status
from conformance.cluster.kubelet.podworker import PodWorker, Workplace
from conformance.cluster.kubelet.status import Waiting

Object = dict[str, Any]


class PodManager:
    """Watches the pods that are bound to the node and keeps a worker for each."""

    def __init__(self, place: Workplace) -> None:
        self._place = place
        self._selector = f"spec.nodeName={place.node}"
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._workers: dict[str, PodWorker] = {}
        self._gone: set[str] = set()
        self._threads = [
            threading.Thread(target=run, name=f"{name} {place.node}", daemon=True)
            for name, run in (("pod-watch", self._watch), ("orphans", self._orphans))
        ]
        self._version = ""

    def start(self) -> None:
        """Take in the pods that are there, then follow changes in threads. Raises ApiError."""
        listed = self._place.api.list("pods", field_selector=self._selector)
        self._version = listed["metadata"]["resourceVersion"]
        for pod in listed["items"]:
            self._lost_sandbox(pod)
            self._take("ADDED", pod)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all workers and threads; pods and their containers stay as they are."""
        self._stop.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()
        with self._lock:
            workers = list(self._workers.values())
        for worker in workers:
            worker.stop()

    def pod(self, uid: str) -> Object | None:
        """A pod as it was last seen; None when the node has none of that UID."""
        with self._lock:
            worker = self._workers.get(uid)
        return worker.pod if worker else None

    def all(self) -> list[Object]:
        """The node's pods as they were last seen."""
        with self._lock:
            workers = list(self._workers.values())
        return [worker.pod for worker in workers]

    def health_changed(self, driver: str) -> None:
        """Show the health of a driver's devices in the pods that use them."""
        users = {uid for info in self._place.dra.claims() if driver in info.drivers for uid in info.pods}
        with self._lock:
            workers = [worker for uid, worker in self._workers.items() if uid in users]
        for worker in workers:
            worker.refresh()

    def _watch(self) -> None:
        changes = self._place.api.watch(
            "pods", resource_version=self._version, field_selector=self._selector, stop=self._stop
        )
        try:
            for kind, pod in changes:
                self._take(kind, pod)
        except ApiError as error:
            self._place.history.record(
                "kubelet", node=self._place.node, action="watch_failed", details=f"pods: {error}"
            )

    def _take(self, kind: str, pod: Object) -> None:
        uid = pod["metadata"]["uid"]
        with self._lock:
            worker = self._workers.get(uid)
            if kind == "DELETED":
                self._gone.discard(uid)
            elif worker is None and uid not in self._gone and not self._stop.is_set():
                worker = self._workers[uid] = PodWorker(pod, self._place, self._finished)
                worker.start()
                return
        if worker is not None:
            worker.update(pod, deleted=kind == "DELETED")

    def _finished(self, worker: PodWorker) -> None:
        with self._lock:
            self._workers.pop(worker.uid, None)
            if not worker.deleted:  # news of its end may still be on the way
                self._gone.add(worker.uid)

    def _lost_sandbox(self, pod: Object) -> None:
        """After a reboot a pod still counts as running; say that it does not before anyone looks."""
        phase = (pod.get("status") or {}).get("phase")
        if phase == "Running" and not self._place.runtime.has_sandbox(pod["metadata"]["uid"]):
            new = status.pending(pod, Waiting("ContainerCreating"))
            self._place.set_status(pod, new)
            pod["status"] = {**pod["status"], **new}

    def _orphans(self) -> None:
        while not self._stop.wait(self._place.settings.orphan_period):
            with self._lock:
                active = set(self._workers)
            for uid in set(self._place.runtime.pods()) - active:
                self._place.runtime.remove(uid)
            for error in self._place.dra.reconcile(active):
                self._place.history.record("kubelet", node=self._place.node, action="unprepare_failed", details=error)
