"""One running container of a driver that was there before: an Instance."""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.cluster.existing.link import Link
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.redact import redact_text
from conformance.verdict import NotRun

_GONE_WITHIN = 20.0
_LOOKED_AT_FOR = 0.1  # seconds; an answer of the agent is as good for so long


@dataclass(frozen=True)
class DriverPod:
    """Which pod, and which container of it is the driver; all but `process` are "" for one that is in no pod."""

    uid: str
    name: str
    namespace: str
    container: str
    node: str


class ExistingInstance:
    """The container behind a driver's sockets, from when it is found to its end."""

    def __init__(
        self, pod: DriverPod, container_id: str, process: dict[str, Any], link: Callable[[], Link], history: History
    ) -> None:
        """process: its first process, as the agent tells it."""
        self.uid = pod.uid
        self.node = pod.node
        self.pod = pod
        self.container_id = container_id
        self._process = process
        self._link = link
        self._history = history
        self._gone = False
        self._looked = 0.0
        self._note("started")

    @property
    def pid(self) -> int:
        """Number of its first process on the node."""
        return int(self._process["pid"])

    @property
    def alive(self) -> bool:
        """Whether it runs. Raises Inconclusive when the node cannot be asked."""
        if not self._gone and time.monotonic() - self._looked > _LOOKED_AT_FOR:
            seen = self._link().call("process", pid=self.pid)
            self._gone = not seen or not seen["alive"] or seen["started"] != self._process["started"]
            self._looked = time.monotonic()
        return not self._gone

    @property
    def exit_status(self) -> int | None:
        """Always None: nobody tells the harness how a container of others ended."""
        return None

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone; the kubelet starts another container in the pod. Raises NotRun."""
        if not self.pod.uid:
            raise NotRun(f"the driver is process {self.pid} in no pod, so nobody is known to start it again")
        self._note("signalled", signal="SIGKILL")
        self._link().call("kill", pid=self.pid, started=self._process["started"], number=int(signal.SIGKILL))
        wait_for(
            lambda: not self.alive, f"container {self.pod.container} of {self.pod.name} to end", timeout=_GONE_WITHIN
        )
        self._note("exited", status=-int(signal.SIGKILL))

    def terminate(self, timeout: float = 30) -> int | None:
        """Always raises NotRun."""
        del timeout  # nothing is waited for
        raise NotRun("the driver was on this cluster before the suite, so it is not told to end")

    def log_tail(self, lines: int = 20) -> str:
        """The last lines that the container logged, secrets redacted."""
        if not self.pod.uid:
            return ""
        pod = self.pod
        folder = f"/var/log/pods/{pod.namespace}_{pod.name}_{pod.uid}/{pod.container}"
        rows = self._link().call("tail", path=folder).splitlines()
        return redact_text("\n".join(row.split(" ", 3)[-1] for row in rows[-lines:]))  # time, stream, tag, text

    def _note(self, phase: str, **facts: Any) -> None:
        name = self.pod.name or f"process {self.pid}"
        self._history.record("process", phase=phase, name=name, instance=self.uid, pid=self.pid, **facts)
