"""As much of the API server's client as the kubelet uses, in memory: these tests are about the kubelet."""

import copy
import itertools
import queue
import threading
import uuid
from collections.abc import Callable, Generator
from typing import Any

from conformance.cluster.api import AlreadyExists, Api, ApiError, NotFound

Object = dict[str, Any]
Key = tuple[str, str, str]


class MemoryApi(Api):
    """Objects by resource, namespace and name. `deleted_collections` has the field selectors that were used.

    The next `refusals` deletions of collections fail.
    """

    def __init__(self) -> None:
        self.objects: dict[Key, Object] = {}
        self.deleted_collections: list[str] = []
        self.refusals = 0
        self._versions = itertools.count(1)
        self._watchers: list[queue.Queue[tuple[str, Object]]] = []
        self._lock = threading.Condition()

    def get(self, resource: str, name: str, namespace: str | None = None) -> Object:
        with self._lock:
            return copy.deepcopy(self._known(resource, name, namespace))

    def list(
        self, resource: str, namespace: str | None = None, *, label_selector: str = "", field_selector: str = ""
    ) -> Object:
        with self._lock:
            items = [copy.deepcopy(o) for (r, n, _), o in self.objects.items() if r == resource]
            return {"items": items, "metadata": {"resourceVersion": str(next(self._versions))}}

    def create(self, resource: str, obj: Object, namespace: str | None = None, *, version: str | None = None) -> Object:
        with self._lock:
            made = copy.deepcopy(obj)
            meta = made["metadata"]
            if namespace:
                meta["namespace"] = namespace
            key = (resource, namespace or "", meta["name"])
            if key in self.objects:
                raise AlreadyExists({"code": 409, "reason": "AlreadyExists", "message": f"{meta['name']} exists"})
            meta.setdefault("uid", str(uuid.uuid4()))
            self.objects[key] = made
            self._changed("ADDED", resource, made)
            return copy.deepcopy(made)

    def patch(
        self,
        resource: str,
        name: str,
        patch: Any,
        namespace: str | None = None,
        *,
        kind: str = "merge",
        subresource: str = "",
        field_manager: str = "dra-conformance",
    ) -> Object:
        with self._lock:
            obj = self._known(resource, name, namespace)
            _merge(obj, patch)
            self._changed("MODIFIED", resource, obj)
            return copy.deepcopy(obj)

    def delete(
        self,
        resource: str,
        name: str,
        namespace: str | None = None,
        *,
        grace_period_seconds: int | None = None,
        uid: str | None = None,
    ) -> Object:
        with self._lock:
            obj = self._known(resource, name, namespace)
            if resource == "pods" and grace_period_seconds != 0:
                obj["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
                self._changed("MODIFIED", resource, obj)
            else:
                del self.objects[(resource, namespace or "", name)]
                self._changed("DELETED", resource, obj)
            return copy.deepcopy(obj)

    def delete_collection(
        self, resource: str, namespace: str | None = None, *, field_selector: str = "", label_selector: str = ""
    ) -> None:
        if self.refusals:
            self.refusals -= 1
            raise ApiError({"code": 500, "reason": "InternalError", "message": "not now"})
        self.deleted_collections.append(field_selector)

    def watch(
        self,
        resource: str,
        namespace: str | None = None,
        *,
        resource_version: str = "",
        field_selector: str = "",
        stop: threading.Event,
    ) -> Generator[tuple[str, Object], None, None]:
        changes: queue.Queue[tuple[str, Object]] = queue.Queue()
        with self._lock:
            self._watchers.append(changes)
        while not stop.is_set():
            try:
                kind, obj = changes.get(timeout=0.02)
            except queue.Empty:
                continue
            if obj["resource"] == resource:
                yield kind, obj["object"]

    def wait(self, condition: Callable[[], bool], timeout: float = 5) -> None:
        """Wait for a condition on the objects."""
        with self._lock:
            assert self._lock.wait_for(condition, timeout), self.objects

    def _known(self, resource: str, name: str, namespace: str | None) -> Object:
        obj = self.objects.get((resource, namespace or "", name))
        if obj is None:
            raise NotFound({"code": 404, "reason": "NotFound", "message": f'{resource} "{name}" not found'})
        return obj

    def _changed(self, kind: str, resource: str, obj: Object) -> None:
        obj["metadata"]["resourceVersion"] = str(next(self._versions))
        self._lock.notify_all()
        for changes in self._watchers:
            changes.put((kind, {"resource": resource, "object": copy.deepcopy(obj)}))


def _merge(obj: Object, patch: Object) -> None:
    for key, value in patch.items():
        if isinstance(value, dict) and isinstance(obj.get(key), dict):
            _merge(obj[key], value)
        else:
            obj[key] = copy.deepcopy(value)
