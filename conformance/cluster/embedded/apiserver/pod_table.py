"""What a table says about a pod (printPod in pkg/printers/internalversion/printers.go)."""

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object, dig
from conformance.cluster.embedded.apiserver.since import since

NONE = "<none>"

Row = dict[str, Any]


def pod_cells(pod: Object) -> Iterator[Any]:
    """Name, readiness, state, restarts, age, and the cells of `-o wide`."""
    spec, state, meta = pod["spec"], pod.get("status") or {}, pod["metadata"]
    sidecars = {row["name"] for row in spec.get("initContainers") or [] if row.get("restartPolicy") == "Always"}
    before, after = state.get("initContainerStatuses") or [], state.get("containerStatuses") or []
    reason = _first_reason(state)
    total = len(spec.get("containers") or []) + len(sidecars)
    ready = sum(bool(row["name"] in sidecars and row.get("started") and row.get("ready")) for row in before)
    starting = _initializing(spec, before, sidecars)
    if starting and not _is_true(state, "Initialized"):
        reason, counted = starting, before
    else:
        reason, counted = _running_reason(state, after, reason), [r for r in before if r["name"] in sidecars] + after
        ready += sum(bool(row.get("ready") and dig(row, "state.running") is not None) for row in after)
    if "deletionTimestamp" in meta:
        reason = _leaving(state, reason)
    yield from (meta["name"], f"{ready}/{total}", reason, _restarts(counted), since(meta.get("creationTimestamp")))
    yield (state.get("podIPs") or [{}])[0].get("ip") or NONE
    yield spec.get("nodeName") or NONE
    yield state.get("nominatedNodeName") or NONE
    gates = [row["conditionType"] for row in spec.get("readinessGates") or []]
    yield f"{sum(_is_true(state, gate) for gate in gates)}/{len(gates)}" if gates else NONE


def _first_reason(state: Row) -> str:
    for row in state.get("conditions") or []:
        if row["type"] == "PodScheduled" and row.get("reason") == "SchedulingGated":
            return "SchedulingGated"
    return str(state.get("reason") or state.get("phase") or "")


def _initializing(spec: Row, rows: Sequence[Row], sidecars: set[str]) -> str:
    """What holds up the start of the containers, "" when nothing does."""
    for index, row in enumerate(rows):
        ended, waits = dig(row, "state.terminated"), dig(row, "state.waiting.reason")
        if ended is not None and not ended.get("exitCode"):
            continue
        if row["name"] in sidecars and row.get("started"):
            continue
        if ended is not None:
            return f"Init:{_ended(ended)}"
        if waits and waits != "PodInitializing":
            return f"Init:{waits}"
        return f"Init:{index}/{len(spec.get('initContainers') or [])}"
    return ""


def _ended(state: Row) -> str:
    signal = state.get("signal")
    return str(state.get("reason") or (f"Signal:{signal}" if signal else f"ExitCode:{state.get('exitCode', 0)}"))


def _running_reason(state: Row, rows: Sequence[Row], reason: str) -> str:
    running, failed = False, ""
    for row in reversed(rows):
        ended, waits = dig(row, "state.terminated"), dig(row, "state.waiting.reason")
        if waits:
            reason = waits
        elif ended is not None:
            reason = _ended(ended)
            failed = reason if ended.get("exitCode") else failed
        elif row.get("ready") and dig(row, "state.running") is not None:
            running = True
    if reason != "Completed":
        return reason
    if running and _is_true(state, "Ready"):
        return "Running"
    return failed or ("NotReady" if running else reason)


def _leaving(state: Row, reason: str) -> str:
    if state.get("reason") == "NodeLost":
        return "Unknown"
    return reason if state.get("phase") in ("Succeeded", "Failed") else "Terminating"


def _restarts(rows: Sequence[Row]) -> str:
    count = sum(row.get("restartCount", 0) for row in rows)
    last = max((dig(row, "lastState.terminated.finishedAt") or "" for row in rows), default="")
    return f"{count} ({since(last)} ago)" if count and last else str(count)


def _is_true(state: Row, kind: str) -> bool:
    return any(row["type"] == kind and row.get("status") == "True" for row in state.get("conditions") or [])
