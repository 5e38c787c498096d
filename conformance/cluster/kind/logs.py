"""Logs that stay with the report: of the kubelets, of the driver's containers, and the events of nodes and driver."""

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api, ApiError, Object
from conformance.cluster.kind.instance import DriverPod
from conformance.cluster.kind.node import KindNode
from conformance.redact import redact, redact_text
from conformance.verdict import Inconclusive

_HELD = "/var/log/dra-conformance"
_JOURNAL = "/var/log/journal"
_MOST = 1_000_000


def prepare(node: KindNode) -> None:
    """From now on the node's journal outlives a reboot; what an earlier run held is gone. Raises Inconclusive."""
    script = f"rm -rf {_HELD} && mkdir -p {_HELD} {_JOURNAL} && journalctl --flush"
    node.exec("sh", "-c", script, what="have the node keep its logs")


def hold(pod: DriverPod, node: Any) -> None:
    """Keep the log of a pod's container: a second name for the file, as the kubelet deletes logs with their pods."""
    held = node.host_path(_HELD)
    for path in pod.logs.glob("*.log"):
        with suppress(OSError):  # it is held already, or the node keeps no logs
            os.link(path, held / f"{pod.name}-{pod.container}-{path.name}")


def collect(nodes: Sequence[KindNode], api: Api, namespaces: Collection[str], since: float, folder: Path) -> None:
    """Write all that there is into a folder, without secrets; what cannot be had is told in the file's place."""
    for node in nodes:
        _write(folder / f"kubelet-{node.name}.log", _journal(node, since))
        for name, path in sorted(_of_driver(node, namespaces).items()):
            with suppress(OSError):
                _write(folder / name, _end_of(path))
    _write(folder / "events.log", _events(api, {node.name for node in nodes}, namespaces, since))


def _journal(node: KindNode, since: float) -> str:
    options = ("--merge", "--unit=kubelet", f"--since=@{since:.0f}", "--no-pager", "--output=short-iso")
    try:
        return node.exec("journalctl", *options, what="read the kubelet's log")[-_MOST:]
    except Inconclusive as error:
        return f"{error}\n"


def _of_driver(node: KindNode, namespaces: Collection[str]) -> dict[str, Path]:
    """Logs by the name that they get: those that were held, and those that the kubelet still has."""
    found = {path.name: path for path in node.host_path(_HELD).glob("*.log")}
    for folder in node.host_path("/var/log/pods").glob("*/*"):
        namespace, name, *_ = folder.parent.name.split("_")
        if namespace in namespaces:
            found |= {f"{name}-{folder.name}-{path.name}": path for path in folder.glob("*.log")}
    return found


def _end_of(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _MOST))
        return file.read().decode(errors="replace")


def _events(api: Api, nodes: Collection[str], namespaces: Collection[str], since: float) -> str:
    try:
        items = api.list("events")["items"]
    except ApiError as error:
        return f"cannot list the events: {error}\n"
    begun = datetime.fromtimestamp(since, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = (_row(item) for item in items if _concerns(item, nodes, namespaces) and _when(item) >= begun)
    return "".join(f"{row}\n" for row in sorted(rows))


def _concerns(event: Object, nodes: Collection[str], namespaces: Collection[str]) -> bool:
    about = event["involvedObject"]
    return (about.get("kind") == "Node" and about.get("name") in nodes) or event["metadata"]["namespace"] in namespaces


def _when(event: Object) -> str:
    return str(event.get("lastTimestamp") or event.get("eventTime") or event["metadata"].get("creationTimestamp") or "")


def _row(event: Object) -> str:
    about = event["involvedObject"]
    times = f" ({event['count']} times)" if event.get("count", 1) > 1 else ""
    what = f"{about.get('kind')} {about.get('name')}"
    message = " ".join(str(redact(event.get("message") or "")).split())
    return f"{_when(event)} {event.get('type')} {event.get('reason')} {what}: {message}{times}"


def _write(path: Path, text: str) -> None:
    path.write_text(redact_text(text), encoding="utf-8")
