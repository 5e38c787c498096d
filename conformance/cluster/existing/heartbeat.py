"""A sign that a run is alive, for others that look for what dead runs have left: a pod that no scheduler places."""

import threading
from contextlib import suppress

from conformance.cluster.api import ApiError, Forbidden
from conformance.cluster.existing.own import ALIVE, BEAT, OwnApi
from conformance.cluster.wait import wait_for

_NAME = "alive"
_NOBODY = "dra-conformance-nobody"
"""Name of a scheduler that there is none of: no node sees the pod, and no image is pulled for it."""


class Heartbeat:
    """Changes an annotation of the pod every few seconds, as long as the run lasts."""

    def __init__(self, api: OwnApi, namespace: str, image: str) -> None:
        self._api = api
        self._namespace = namespace
        self._image = image
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Create the pod and begin. Raises WaitTimeout, ApiError."""
        wait_for(self._created, "the default service account of the namespace", timeout=30)
        self._thread.start()

    def stop(self) -> None:
        """End. May be called twice."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _created(self) -> bool:
        """Whether it could be created; not as long as its namespace is too new for that."""
        spec = {"schedulerName": _NOBODY, "containers": [{"name": "none", "image": self._image}]}
        try:
            self._api.create(
                "pods", {"metadata": {"name": _NAME, "annotations": {ALIVE: "0"}}, "spec": spec}, self._namespace
            )
        except Forbidden as error:
            if "service account" in str(error):
                return False
            raise
        return True

    def _loop(self) -> None:
        turn = 0
        while not self._stopping.wait(BEAT):
            turn += 1
            with suppress(ApiError):  # the next one may get through
                patch = {"metadata": {"annotations": {ALIVE: str(turn)}}}
                self._api.patch("pods", _NAME, patch, self._namespace)
