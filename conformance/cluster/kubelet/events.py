"""Events about pods, repeated ones counted as client-go's recorder does it (tools/record/events_cache.go)."""

import threading
from typing import Any

from conformance.cluster.api import Api, NotFound
from conformance.cluster.kubelet import status

Object = dict[str, Any]
_SIMILAR = 10  # so many texts of one reason about one pod, and what follows is combined
_COMBINED = "(combined from similar events): "


class Events:
    """The events of a node's kubelet. What was told is forgotten with the pod, and when the kubelet ends."""

    def __init__(self, api: Api, node: str) -> None:
        self._api = api
        self._node = node
        self._lock = threading.Lock()
        self._told: dict[tuple[str, str], dict[str, tuple[str, int]]] = {}

    def warn(self, pod: Object, reason: str, message: str) -> None:
        """Create a Warning event, or count it where it is told again. Raises ApiError."""
        uid, namespace = pod["metadata"]["uid"], pod["metadata"]["namespace"]
        with self._lock:
            told = self._told.setdefault((uid, reason), {})
            combined = message not in told and len(told) >= _SIMILAR - 1
            key = _COMBINED if combined else message
            name, count = told.get(key, ("", 0))
        text = f"{_COMBINED}{message}" if combined else message
        if not (name and self._counted(name, namespace, text, count + 1)):
            event = self._api.create("events", status.event(pod, reason, text, self._node), namespace)
            name, count = event["metadata"]["name"], 0
        with self._lock:
            told[key] = (name, count + 1)

    def forget(self, pod_uid: str) -> None:
        """The pod is gone."""
        with self._lock:
            for key in [key for key in self._told if key[0] == pod_uid]:
                del self._told[key]

    def _counted(self, name: str, namespace: str, text: str, count: int) -> bool:
        """Whether the event is still there to be counted."""
        change = {"count": count, "message": text, "lastTimestamp": status.now()}
        try:
            self._api.patch("events", name, change, namespace)
        except NotFound:
            return False
        return True
