"""What the driver asks the API server, and what it is answered: read off the audit log, as it is written.

The log is a named pipe, so that it is read without looking again and again, and never grows.
"""

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.history import History

Object = dict[str, Any]

_NODE_NAME = "authentication.kubernetes.io/node-name"
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
                try:
                    event = json.loads(line)
                except ValueError:  # cut off when the API server was killed
                    continue
                if _counts(event):
                    self._history.record("request", **self._request(event))

    def _request(self, event: Mapping[str, Any]) -> Object:
        about, user, status = event.get("objectRef") or {}, event["user"], event.get("responseStatus") or {}
        name = str(user.get("username", ""))
        resource = "/".join(filter(None, [about.get("resource"), about.get("subresource")]))
        return {
            "user": "anonymous" if name == "system:anonymous" else name.removeprefix(self._prefix),
            "node": next(iter((user.get("extra") or {}).get(_NODE_NAME) or ()), ""),
            "verb": event["verb"],
            "resource": resource or event["requestURI"].partition("?")[0],
            "version": about.get("apiVersion", ""),
            "namespace": about.get("namespace", ""),
            "name": about.get("name", ""),
            "code": status.get("code", 200),
            "message": status.get("message", "") if status.get("code", 200) >= 400 else "",
            "user_agent": event.get("userAgent", ""),
        }


def _counts(event: Mapping[str, Any]) -> bool:
    """A watch counts when it begins, everything else when it was answered."""
    stage = event["stage"]
    if stage == "ResponseComplete" and event["verb"] == "watch":
        return bool((event.get("responseStatus") or {}).get("code", 200) >= 400)
    return stage in ("ResponseComplete", "Panic") or (stage == "ResponseStarted" and event["verb"] == "watch")
