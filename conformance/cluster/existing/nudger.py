"""Has kubelets look at pods of ours again that hang: by themselves they wait up to 90 s after something has failed."""

import threading
from contextlib import suppress
from typing import Any

from conformance.cluster.api import Api, ApiError
from conformance.cluster.existing.own import RUN

_AGAIN = "dra-conformance/look-again"
_PERIOD = 3.0


class Nudger:
    """Changes an annotation of each pod of a run that was placed but does not run, or that does not go."""

    def __init__(self, api: Api, run: str) -> None:
        self._api = api
        self._run = run
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="nudger", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End. May be called twice."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _loop(self) -> None:
        seen: set[str] = set()
        turn = 0
        while not self._stopping.wait(_PERIOD):
            turn += 1
            with suppress(ApiError):  # it will be tried again
                hanging = {pod["metadata"]["uid"]: pod["metadata"] for pod in self._pods() if _hangs(pod)}
                for meta in (hanging[uid] for uid in hanging if uid in seen):
                    with suppress(ApiError):  # gone meanwhile
                        patch = {"metadata": {"annotations": {_AGAIN: str(turn)}}}
                        self._api.patch("pods", meta["name"], patch, meta["namespace"])
                seen = set(hanging)

    def _pods(self) -> list[Any]:
        return list(self._api.list("pods", label_selector=f"{RUN}={self._run}")["items"])


def _hangs(pod: Any) -> bool:
    waits = (pod.get("status") or {}).get("phase", "Pending") == "Pending" and pod["spec"].get("nodeName")
    return bool(waits or pod["metadata"].get("deletionTimestamp"))
