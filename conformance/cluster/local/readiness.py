"""Whether a driver is ready, and if not, why: registered with the kubelet, its pools published and complete."""

import stat
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api
from conformance.cluster.diagnosis import explained
from conformance.cluster.protocol import Node
from conformance.history import Event, History
from conformance.target import Target
from conformance.target.model import DriverSection

_REFUSALS = (400, 403, 422)


def unready(target: Target, node: Node, api: Api, history: History, since: int) -> str:
    """What is missing until all drivers of the target are ready, in words; "" when nothing is.

    `since`: only registrations from this place in the history on count.
    """
    missing = (
        _unregistered(driver, node, history, since) or _unpublished(driver, node, api, history, since)
        for driver in target.file.drivers
    )
    return next((text for text in missing if text), "")


def is_ready(target: Target, node: Node, api: Api, history: History, since: int) -> bool:
    """Whether nothing is missing, without the words, which take long to find: it is asked again and again."""
    return all(
        _registered(driver, node, history, since) and not _unpublished(driver, node, api, history, since)
        for driver in target.file.drivers
    )


def was_registered(target: Target, node: Node, history: History, since: int) -> bool:
    """Whether the kubelet has registered a driver of the target from this place in the history on."""
    names = {driver.name for driver in target.file.drivers}
    events = history.events("kubelet", lambda e: e["node"] == node.name and e["action"] == "registered", since)
    return any(event["driver"] in names for event in events)


def sockets(folder: Path) -> list[Path]:
    """Unix sockets below a folder, sorted; hidden ones are not looked at, as the kubelet does."""
    found = (path for path in folder.rglob("*") if not path.name.startswith("."))
    return sorted(path for path in found if _is_socket(path))


def bound_sockets() -> set[str]:
    """Paths of the unix sockets that some process of this network namespace has bound (proc_pid_net(5), unix)."""
    rows = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    return {fields[7] for row in rows if len(fields := row.split(maxsplit=7)) == 8}


def incomplete_pools(slices: Iterable[dict[str, Any]]) -> list[str]:
    """Pools that lack slices of their newest generation, in words."""
    pools: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in slices:
        pools[item["spec"]["pool"]["name"]].append(item["spec"]["pool"])
    found = []
    for name, rows in sorted(pools.items()):
        newest = max(row["generation"] for row in rows)
        current = [row for row in rows if row["generation"] == newest]
        wanted = max(row["resourceSliceCount"] for row in current)
        if len(current) != wanted:
            found.append(f"pool {name} has {len(current)} of {wanted} slices of generation {newest}")
    return found


def _registered(driver: DriverSection, node: Node, history: History, since: int) -> bool:
    if not driver.node_plugin:
        return True
    if not node.registrations(driver.name):
        return False
    registered = history.last("kubelet", lambda e: e["node"] == node.name and _registers(e, driver))
    return not node.sees_calls or bool(registered and registered.seq >= since)


def _unregistered(driver: DriverSection, node: Node, history: History, since: int) -> str:
    if _registered(driver, node, history, since):
        return ""
    return f"driver {driver.name} is not registered: {_registration_trouble(driver, node, history, since)}"


def _registers(event: Event, driver: DriverSection) -> bool:
    return bool(event["action"] == "registered" and event["driver"] == driver.name)


def _registration_trouble(driver: DriverSection, node: Node, history: History, since: int) -> str:
    found = sockets(node.registry_dir)
    if not found:
        return f"no registration socket appeared in {node.registry_dir}{_stray_sockets(node)}"
    answers = list(history.events("rpc", lambda e: e["phase"] == "end" and e["node"] == node.name, since))
    for event in reversed(answers):
        if trouble := _answer_trouble(event, driver):
            return trouble
    failed = history.last("kubelet", lambda e: e["node"] == node.name and e["action"] == "register_failed")
    if failed and failed.seq >= since:
        return f"the kubelet says: {failed['details']}"
    return f"no gRPC server has answered yet on {', '.join(path.name for path in found)}"


def _stray_sockets(node: Node) -> str:
    kubelets = node.registry_dir.parent / "pod-resources"  # the kubelet's own socket is in it
    elsewhere = [path.name for path in sockets(node.registry_dir.parent) if path.parent != kubelets]
    return f" (there are sockets elsewhere: {', '.join(elsewhere)})" if elsewhere else ""


def _answer_trouble(event: Event, driver: DriverSection) -> str:
    method, code = event["method"], event["code"]
    if method not in ("GetInfo", "NotifyRegistrationStatus"):
        return ""
    if code != "OK":
        return f"{method} failed: {code}: {event['details']}"
    if method == "NotifyRegistrationStatus":
        return explained(str((event["request"] or {}).get("error") or ""))
    name = (event["response"] or {}).get("name", "")
    if name == driver.name:
        return ""
    return f"it calls itself {name!r}; write that name into drivers[].name of the driver file"


def _unpublished(driver: DriverSection, node: Node, api: Api, history: History, since: int) -> str:
    items: Sequence[dict[str, Any]] = api.list("resourceslices", field_selector=f"spec.driver={driver.name}")["items"]
    if driver.scope == "node-local":
        items = [item for item in items if item["spec"].get("nodeName") == node.name]
    if not items:
        return f"driver {driver.name} has published no ResourceSlice for node {node.name}{_refusal(history, since)}"
    return "; ".join(incomplete_pools(items))


def _refusal(history: History, since: int) -> str:
    """What the API server said when it last refused something that a driver needs before it can publish."""

    def refused(event: Event) -> bool:
        return event["code"] in _REFUSALS and event["resource"] in ("resourceslices", "nodes")

    messages = [event["message"] for event in history.events("request", refused, since)]
    return f"; the API server has refused: {messages[-1]}" if messages else ""


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except FileNotFoundError:
        return False
