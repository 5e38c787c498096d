"""One running container of the driver: an Instance."""

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api, NotFound
from conformance.cluster.kind import processes
from conformance.cluster.kind.processes import HostProcess
from conformance.cluster.local.process import end_of
from conformance.history import Event, History
from conformance.redact import redact_text

_GONE_WITHIN = 10.0
_STATUS_WITHIN = 20.0


@dataclass(frozen=True)
class DriverPod:
    """Which pod, and which container of it is the driver. `logs` is the kubelet's folder for its logs."""

    uid: str
    name: str
    namespace: str
    container: str
    node: str
    logs: Path


class PodInstance:
    """One container of a driver's pod, from its start to its end; the kubelet starts another one after it.

    since: the place in the history from which on what happens is of this container.
    """

    def __init__(
        self, pod: DriverPod, container_id: str, process: HostProcess, api: Api, history: History, since: int
    ) -> None:
        self.uid = pod.uid
        self.node = pod.node
        self.pod = pod
        self.since = since
        self.container_id = container_id
        self._process = process
        self._api = api
        self._history = history
        self._note("started")

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.alive

    @property
    def sockets(self) -> set[str]:
        """Names of the unix sockets that its pod listens on."""
        return processes.bound_names(self._process.pid) if self.alive else set()

    @property
    def exit_status(self) -> int | None:
        """Exit status once it ended, negative for a signal; None before, and when the cluster does not tell."""
        if self.alive:
            return None
        event = self._history.wait("api", self._tells_status, since=self.since, timeout=_STATUS_WITHIN)
        return None if event is None else _exit_status(event["object"], self.container_id)

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone; the kubelet starts another container in the pod."""
        self._note("signalled", signal="SIGKILL")
        self._process.signal(signal.SIGKILL)
        self._process.wait(_GONE_WITHIN)
        self._note("exited", status=-int(signal.SIGKILL))

    def terminate(self, timeout: float = 30) -> int | None:
        """Delete the pod, which sends SIGTERM; the exit status if it ends in time, None when it is left running."""
        self._note("signalled", signal="SIGTERM")
        self.delete_pod()
        if not self._process.wait(timeout):
            return None
        status = self.exit_status
        self._note("exited", status=status)
        return status

    def delete_pod(self) -> None:
        """Ask for the pod to be deleted; the DaemonSet makes another one."""
        try:
            self._api.delete("pods", self.pod.name, self.pod.namespace, uid=self.uid)
        except NotFound:
            return

    def log_tail(self, lines: int = 20) -> str:
        """The last lines that containers of the pod logged, secrets redacted."""
        return tail(self.pod.logs, lines)

    def _tells_status(self, event: Event) -> bool:
        obj = event["object"]
        return bool(obj["metadata"]["uid"] == self.uid and _exit_status(obj, self.container_id) is not None)

    def _note(self, phase: str, **facts: Any) -> None:
        self._history.record(
            "process",
            phase=phase,
            name=self.pod.name,
            instance=self.uid,
            node=self.node,
            pid=self._process.pid,
            **facts,
        )


def after_others(history: History, uid: str) -> int:
    """Where the history of a pod's next container begins: after the end of the one before, 0 when there was none.

    What that one had registered is not the next one's doing, although the kubelet may know it for seconds yet.
    """
    ended = history.last("process", lambda event: event["phase"] == "exited" and event["instance"] == uid)
    return ended.seq if ended else 0


def tail(logs: Path, lines: int) -> str:
    """The last lines of a container's log files, one for each time that it was started; secrets redacted."""
    rows: list[str] = []
    for path in sorted(logs.glob("*.log"), key=lambda path: int(path.stem), reverse=True):
        rows[:0] = [line.split(" ", 3)[-1] for line in end_of(path).splitlines()]  # time, stream, tag, text
        if len(rows) >= lines:
            break
    return redact_text("\n".join(rows[-lines:]))


def _exit_status(pod: Mapping[str, Any], container_id: str) -> int | None:
    for row in (pod.get("status") or {}).get("containerStatuses") or ():
        for state in (row.get("state") or {}, row.get("lastState") or {}):
            ended = state.get("terminated") or {}
            if str(ended.get("containerID", "")).endswith(container_id):
                code = int(ended["exitCode"])
                return 128 - code if code > 128 else code
    return None
