"""A store with scheduler and controllers, and short ways to use it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers import Controllers
from conformance.cluster.embedded.scheduler import Scheduler, SchedulerSettings
from conformance.cluster.wait import wait_for
from conformance.history import History
from tests.embedded_scheduler.objects import DRIVER, Obj


class ControlPlane:
    """What the tests ask the store for."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.namespace = "default"

    def publish(self, *names: str, node: str = "node-a", generation: int = 1, **device: Any) -> None:
        devices = [{"name": name, **device} for name in names]
        pool = {"name": node, "generation": generation, "resourceSliceCount": 1}
        spec = {"driver": DRIVER, "pool": pool, "nodeName": node, "devices": devices}
        if self.store.exists("resourceslices", node):
            old = self.store.get("resourceslices", node)
            self.store.update("resourceslices", {**old, "spec": spec})
            return
        self.store.create("resourceslices", {"metadata": {"name": node}, "spec": spec})

    def device_class(self, name: str = "gpu", *selectors: str) -> None:
        spec = {"selectors": [{"cel": {"expression": text}} for text in selectors]}
        self.store.create("deviceclasses", {"metadata": {"name": name}, "spec": spec})

    def claim(self, name: str, **exactly: Any) -> Obj:
        spec = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", **exactly}}]}}
        return self.store.create("resourceclaims", {"metadata": {"name": name}, "spec": spec}, self.namespace)

    def template(self, name: str, **exactly: Any) -> None:
        spec = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", **exactly}}]}}
        inner = {"metadata": {"labels": {"made": "from-template"}}, "spec": spec}
        self.store.create("resourceclaimtemplates", {"metadata": {"name": name}, "spec": inner}, self.namespace)

    def pod(self, name: str, *, claim: str = "", template: str = "", **spec: Any) -> Obj:
        entries: list[Obj] = []
        if claim:
            entries.append({"name": "gpu", "resourceClaimName": claim})
        if template:
            entries.append({"name": "made", "resourceClaimTemplateName": template})
        claims = [{"name": entry["name"]} for entry in entries]
        container = {"name": "c", "image": "none", "resources": {"claims": claims}}
        full = {"containers": [container], "resourceClaims": entries, **spec}
        return self.store.create("pods", {"metadata": {"name": name}, "spec": full}, self.namespace)

    def get(self, resource: str, name: str) -> Obj:
        return self.store.get(resource, name, self.namespace)

    def bound(self, pod: str, timeout: float = 3) -> str:
        """The node of the pod, once it has one."""
        return wait_for(
            lambda: str(self.get("pods", pod)["spec"].get("nodeName") or ""),
            f"pod {pod} to be bound",
            timeout=timeout,
            otherwise=lambda: str(self.get("pods", pod).get("status")),
        )

    def pending(self, pod: str, *, other_than: str = "", timeout: float = 3) -> Obj:
        """The pod's condition PodScheduled, once it is False (and says something else)."""

        def unscheduled() -> Obj | None:
            conditions = self.get("pods", pod).get("status", {}).get("conditions", [])
            return next((c for c in conditions if c["status"] == "False" and c.get("message") != other_than), None)

        return wait_for(unscheduled, f"pod {pod} to be told why it is pending", timeout=timeout)

    def gone(self, resource: str, name: str, namespace: str | None = "default") -> bool:
        """Waits until there is no such object."""
        what = f"{resource} {name} to be gone"
        return wait_for(lambda: not self.store.exists(resource, name, namespace), what, timeout=3)

    def becomes(self, claim: str, *, allocated: bool, holders: int) -> Obj:
        """The claim, once it is allocated or not, and reserved for so many pods."""

        def there() -> Obj | None:
            found = self.get("resourceclaims", claim)
            status = found.get("status", {})
            right = bool(status.get("allocation")) == allocated and len(status.get("reservedFor", [])) == holders
            return found if right else None

        return wait_for(there, f"claim {claim}: allocated {allocated}, {holders} holders", timeout=3)

    def finish(self, pod: str) -> None:
        """The pod has ended, as its kubelet reports."""

        def change(obj: Obj) -> None:
            obj.setdefault("status", {})["phase"] = "Succeeded"

        self.store.modify("pods", pod, self.namespace, change, status=True)

    def told(self, reason: str, message: str) -> None:
        """Waits for an event."""
        wait_for(lambda: message in self.events(reason), f"event {reason}: {message}", timeout=3)

    def events(self, reason: str) -> list[str]:
        """Messages of all events with that reason."""
        return [event["message"] for event in self.store.list("events", self.namespace) if event["reason"] == reason]


@contextmanager
def control_plane(*nodes: str, settings: SchedulerSettings | None = None) -> Iterator[ControlPlane]:
    """A cluster of nodes without kubelets."""
    history = History()
    store = Store(history)
    if not store.exists("namespaces", "default"):
        store.create("namespaces", {"metadata": {"name": "default"}})
    for name in nodes or ("node-a",):
        metadata = {"name": name, "labels": {"kubernetes.io/hostname": name}}
        store.create("nodes", {"metadata": metadata, "status": {"allocatable": {"pods": "1000"}}})
    scheduler = Scheduler(store, history, settings)
    controllers = Controllers(store, history)
    scheduler.start()
    controllers.start()
    try:
        yield ControlPlane(store)
    finally:
        controllers.stop()
        scheduler.stop()
