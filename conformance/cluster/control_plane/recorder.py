"""What changes in the cluster: watches of the objects that checks and evidence are about."""

import threading
import traceback
from collections.abc import Callable
from typing import Any

from conformance.cluster.api import Api, ApiError, Forbidden, NotFound
from conformance.history import History

Object = dict[str, Any]
Wanted = Callable[[str, Object], bool]

WATCHED = (
    "nodes",
    "pods",
    "events",
    "deviceclasses",
    "resourceclaims",
    "resourceclaimtemplates",
    "resourceslices",
    "devicetaintrules",
)


class Recorder:
    """Records every change of the watched kinds as an `api` event; those of one kind are in order and complete."""

    def __init__(self, api: Api, history: History, wanted: Wanted | None = None) -> None:
        """wanted: which objects are recorded, by kind (plural) and object; without it, all of them."""
        self._api = api
        self._history = history
        self._wanted = wanted
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Record what is there, then every change; a kind that is not served is left out. Raises ApiError.

        Where not all objects are wanted, a kind that may not be read is left out, too.
        """
        for resource in WATCHED:
            try:
                listed = self._api.list(resource)
            except NotFound:
                continue
            except Forbidden:
                if self._wanted is None:
                    raise
                continue
            for item in listed["items"]:
                self._record("ADDED", resource, item)
            name, version = f"record {resource}", str(listed["metadata"]["resourceVersion"])
            thread = threading.Thread(target=self._follow, args=(resource, version), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """End all watches. May be called twice."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _follow(self, resource: str, version: str) -> None:
        try:
            for kind, obj in self._api.watch(resource, resource_version=version, stop=self._stop):
                self._record(kind, resource, obj)
        except ApiError as error:
            trace = "".join(traceback.format_exception(error))
            self._history.record("error", where=f"watch of {resource}", trace=trace)

    def _record(self, kind: str, resource: str, obj: Object) -> None:
        if self._wanted and not self._wanted(resource, obj):
            return
        metadata = {key: value for key, value in obj["metadata"].items() if key != "managedFields"}
        self._history.record("api", type=kind, resource=resource, object={**obj, "metadata": metadata})
