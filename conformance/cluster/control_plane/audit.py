"""What the driver asks the API server, and what it is answered: read off the audit log, as it is written.

The log is a named pipe, so that it is read without looking again and again, and never grows.
"""

import json
import os
import threading
from pathlib import Path

from conformance.cluster.control_plane.audit_events import request_in
from conformance.history import History

_POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    users: [{trusted}]
  - level: None
    userGroups: ["system:masters", "system:nodes"]
  - level: None
    nonResourceURLs: ["/healthz*", "/livez*", "/readyz*"]
  - level: Metadata
"""


class AuditLog:
    """Records the requests of users that are not part of the cluster as `request` events, in order."""

    def __init__(self, folder: Path, history: History, *, service_accounts: str, trusted: list[str]) -> None:
        """`service_accounts`: namespace whose service accounts are recorded by their names alone; `trusted`: users
        that are part of the cluster."""
        self.policy = folder / "audit-policy.yaml"
        self.path = folder / "audit"
        self._prefix = f"system:serviceaccount:{service_accounts}:"
        self._history = history
        self.policy.write_text(_POLICY.format(trusted=json.dumps(trusted)[1:-1]), encoding="utf-8")
        os.mkfifo(self.path, 0o600)
        # Opened for both, so that it is there before the API server opens it and does not end when that closes it.
        self._pipe = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._read, name="audit", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read what there is, and end; to be called when the API server has ended."""
        if self._thread.ident is not None:
            os.write(self._pipe, b"\nnull\n")
            self._thread.join()
        os.close(self._pipe)

    def _read(self) -> None:
        with open(self._pipe, encoding="utf-8", closefd=False) as lines:
            for line in lines:
                if line == "null\n":
                    return
                request = request_in(line, without=self._prefix)
                if request is not None:
                    self._history.record("request", **request)
