"""Events on the node, for what an administrator has to know and would not look for in a log."""

import queue
import secrets
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from . import log
from .backoff import Backoff
from .errors import Conflict, KubeError, NotFound
from .kube import KubeClient

_PATH = "/apis/events.k8s.io/v1/namespaces/default/events"  # where events of what has no namespace belong
_MOST_WAITING = 32
_MAX_NOTE = 1024  # bytes that the API takes


class EventRecorder:
    """Writes events in the background, as soon as the API server is there; where that is forbidden, the log has to do.

    Its thread starts with the first event: most instances never have one.
    """

    def __init__(self, client: KubeClient, driver: str, node: str) -> None:
        self._client = client
        self._driver = driver
        self._node = node
        self._waiting: queue.Queue[dict[str, Any] | None] = queue.Queue(_MOST_WAITING)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def warn(self, reason: str, action: str, note: str) -> None:
        """Tell of something on the node that is not as it should be; returns at once."""
        try:
            self._waiting.put_nowait(self._event(reason, action, note))
        except queue.Full:
            log.warning("too many events at once, this one is not written", reason=reason, note=note)
        if not self._thread:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread; what was not written yet is not."""
        self._stopping.set()
        if self._thread:
            with suppress(queue.Full):
                self._waiting.put_nowait(None)
            self._thread.join(timeout=1)

    def _event(self, reason: str, action: str, note: str) -> dict[str, Any]:
        return {
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": {"namespace": "default", "name": f"{self._node}.{secrets.token_hex(8)}"},
            "eventTime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "type": "Warning",
            "reason": reason,
            "action": action,
            "note": note.encode()[:_MAX_NOTE].decode(errors="ignore"),
            "reportingController": self._driver,
            "reportingInstance": f"{self._driver}-{self._node}"[:128],
        }

    def _run(self) -> None:
        while event := self._waiting.get():
            self._write(event)

    def _write(self, event: dict[str, Any]) -> None:
        backoff = Backoff(most=30.0)
        while not self._stopping.is_set():
            try:
                event["regarding"] = self._node_reference()
                self._client.create(_PATH, event)
            except (Conflict, NotFound) as error:  # written by an attempt without an answer; no such node
                return log.info("an event was not written", reason=event["reason"], error=str(error))
            except KubeError as error:
                if not error.passes:
                    return log.warning("an event cannot be written", reason=event["reason"], error=str(error))
                self._stopping.wait(backoff.next(error.retry_after))
            else:
                return None
        return None

    def _node_reference(self) -> dict[str, str]:
        uid = self._client.get(f"/api/v1/nodes/{self._node}")["metadata"]["uid"]
        return {"apiVersion": "v1", "kind": "Node", "name": self._node, "uid": uid}
