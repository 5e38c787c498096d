"""Lines of an API server's audit log, and the `request` events that they become."""

import json
from collections.abc import Mapping
from typing import Any

Object = dict[str, Any]

_NODE_NAME = "authentication.kubernetes.io/node-name"


def request_in(line: str, *, without: str) -> Object | None:
    """What a `request` event says of a line; None where the line says nothing new, or was cut off.

    `without`: what is left out at the beginning of names of users.
    """
    try:
        event = json.loads(line)
    except ValueError:  # cut off when the API server was killed
        return None
    return _request(event, without) if isinstance(event, dict) and _counts(event) else None


def _request(event: Mapping[str, Any], without: str) -> Object:
    about, user, status = event.get("objectRef") or {}, event["user"], event.get("responseStatus") or {}
    name = str(user.get("username", ""))
    resource = "/".join(filter(None, [about.get("resource"), about.get("subresource")]))
    return {
        "user": "anonymous" if name == "system:anonymous" else name.removeprefix(without),
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
