"""What drivers ask the API server, and what it is answered: read off the audit log on the control plane's node."""

import threading
from contextlib import ExitStack
from pathlib import Path
from subprocess import DEVNULL
from typing import IO

from conformance.cluster.control_plane.audit_events import request_in
from conformance.cluster.kind.command import end, started
from conformance.history import History

PATH = "/var/log/dra-conformance/audit.log"
"""Where it is on the node, as the patch in kind/api-server says."""

_ACCOUNTS = "system:serviceaccount:"


class AuditLog:
    """Records what is written from now on as `request` events, in order; users are called namespace:name."""

    def __init__(self, path: Path, history: History) -> None:
        """`path`: of the log, as it is seen from here."""
        self._path = path
        self._history = history
        self._running = ExitStack()

    def start(self) -> None:
        """Begin to read. Raises Inconclusive."""
        # The log is rotated, so it is followed by its name; it comes with the first request.
        read = self._path.stat().st_size if self._path.exists() else 0
        words = ["tail", f"--bytes=+{read + 1}", "--follow=name", "--retry", str(self._path)]
        child = self._running.enter_context(started(words, "read the API server's audit log", stderr=DEVNULL))
        assert child.stdout is not None
        thread = threading.Thread(target=self._read, args=[child.stdout], name="audit", daemon=True)
        thread.start()
        self._running.callback(thread.join)
        self._running.callback(end, child)

    def stop(self) -> None:
        """Read what there is, and end. May be called twice."""
        self._running.close()

    def _read(self, lines: IO[bytes]) -> None:
        for line in lines:
            request = request_in(line.decode(errors="replace"), without=_ACCOUNTS)
            if request is not None:
                self._history.record("request", **request)
