"""Tables, as kubectl asks for them: the columns and cells of Kubernetes (pkg/printers/internalversion/printers.go)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object, dig
from conformance.cluster.embedded.apiserver.pod_table import pod_cells
from conformance.cluster.embedded.apiserver.since import since

Cells = Callable[[Object], Sequence[Any]]

NONE = "<none>"
_NODE_ROLE = "node-role.kubernetes.io/"

# Columns of kinds; with a * only for `-o wide`.
_COLUMNS = {
    "Pod": "Name Ready Status Restarts Age *IP *Node *Nominated_Node *Readiness_Gates",
    "Node": "Name Status Roles Age Version *Internal-IP *External-IP *OS-Image *Kernel-Version *Container-Runtime",
    "Event": "Last_Seen Type Reason Object *Subobject *Source Message *First_Seen *Count *Name",
    "Namespace": "Name Status Age",
    "Secret": "Name Type Data Age",
    "ServiceAccount": "Name Age",
    "ConfigMap": "Name Data Age",
    "Lease": "Name Holder Age",
    "DeviceClass": "Name Age",
    "ResourceClaim": "Name State Age",
    "ResourceClaimTemplate": "Name Age",
    "ResourceSlice": "Name Node Driver Pool Age",
    "DeviceTaintRule": "Name Key Value Effect TimeAdded Age",
}


def columns(kind: str) -> list[Object]:
    """The column definitions of a kind."""
    return [
        {
            "name": word.lstrip("*").replace("_", " "),
            "type": "string",
            "format": "name" if word.lstrip("*") == "Name" else "",
            "description": "",
            "priority": 1 if word.startswith("*") else 0,
        }
        for word in _COLUMNS[kind].split()
    ]


def cells(kind: str, obj: Object) -> list[Any]:
    """What an object (as stored) has in them."""
    return list(_CELLS[kind](obj))


def conditions(kind: str, obj: Object) -> list[Object]:
    """What clients may show otherwise: pods that ended."""
    phase = dig(obj, "status.phase") if kind == "Pod" else None
    if phase not in ("Succeeded", "Failed"):
        return []
    text = "has completed successfully" if phase == "Succeeded" else "failed"
    return [{"type": "Completed", "status": "True", "reason": phase, "message": f"The pod {text}."}]


def _name(obj: Object) -> str:
    return str(obj["metadata"]["name"])


def _age(obj: Object) -> str:
    return since(obj["metadata"].get("creationTimestamp"))


def _plain(obj: Object) -> Sequence[Any]:
    return _name(obj), _age(obj)


def _node(obj: Object) -> Iterator[Any]:
    state = obj.get("status") or {}
    about = state.get("nodeInfo") or {}
    ready = next((row["status"] for row in state.get("conditions") or [] if row["type"] == "Ready"), None)
    words = ["Unknown" if ready is None else "Ready" if ready == "True" else "NotReady"]
    if dig(obj, "spec.unschedulable"):
        words.append("SchedulingDisabled")
    yield from (_name(obj), ",".join(words), ",".join(_roles(obj)) or NONE, _age(obj), about.get("kubeletVersion", ""))
    yield from (_address(state, "InternalIP"), _address(state, "ExternalIP"))
    kernel, machine = about.get("kernelVersion") or "<unknown>", about.get("architecture")
    yield about.get("osImage") or "<unknown>"
    yield f"{kernel} ({machine})" if machine else kernel
    yield about.get("containerRuntimeVersion") or "<unknown>"


def _roles(obj: Object) -> list[str]:
    labels: Mapping[str, str] = obj["metadata"].get("labels") or {}
    roles = {key.removeprefix(_NODE_ROLE) for key in labels if key.startswith(_NODE_ROLE)}
    return sorted((roles | {labels.get("kubernetes.io/role", "")}) - {""})


def _address(state: Object, kind: str) -> str:
    return next((row["address"] for row in state.get("addresses") or [] if row["type"] == kind), NONE)


def _event(obj: Object) -> Sequence[Any]:
    about, series = obj.get("involvedObject") or {}, obj.get("series")
    first = since(obj.get("firstTimestamp") or obj.get("eventTime"))
    last = since(obj["lastTimestamp"]) if obj.get("lastTimestamp") else first
    count = obj.get("count") or 1
    if series:
        last, count = since(series.get("lastObservedTime")), series.get("count", 0)
    target = "/".join(filter(None, (about.get("kind", "").lower(), about.get("name"))))
    source = obj.get("source") or {}
    who = [source.get("component") or obj.get("reportingComponent"), source.get("host") or obj.get("reportingInstance")]
    subject, text = about.get("fieldPath", ""), obj.get("message", "").strip()
    row = (last, obj.get("type", ""), obj.get("reason", ""), target, subject, ", ".join(filter(None, who)))
    return *row, text, first, count, _name(obj)


def _data(obj: Object) -> int:
    return len(obj.get("data") or {}) + len(obj.get("binaryData") or {})


def _claim_state(obj: Object) -> str:
    deleted, state = "deletionTimestamp" in obj["metadata"], obj.get("status") or {}
    words = ["deleted"] if deleted else []
    if state.get("allocation") is None:
        words += [] if deleted else ["pending"]
    else:
        words += ["allocated", "reserved"] if state.get("reservedFor") else ["allocated"]
    return ",".join(words)


def _slice(obj: Object) -> Sequence[Any]:
    spec = obj["spec"]
    return _name(obj), spec.get("nodeName", ""), spec.get("driver", ""), dig(spec, "pool.name") or "", _age(obj)


def _taint_rule(obj: Object) -> Sequence[Any]:
    taint = dig(obj, "spec.taint") or {}
    added = since(taint["timeAdded"]) if taint.get("timeAdded") else ""
    return _name(obj), *(taint.get(key, "") for key in ("key", "value", "effect")), added, _age(obj)


_CELLS: dict[str, Cells] = {
    "Pod": lambda obj: list(pod_cells(obj)),
    "Node": lambda obj: list(_node(obj)),
    "Event": _event,
    "Namespace": lambda obj: (_name(obj), dig(obj, "status.phase") or "", _age(obj)),
    "Secret": lambda obj: (_name(obj), obj.get("type", ""), _data(obj), _age(obj)),
    "ServiceAccount": _plain,
    "ConfigMap": lambda obj: (_name(obj), _data(obj), _age(obj)),
    "Lease": lambda obj: (_name(obj), dig(obj, "spec.holderIdentity") or "", _age(obj)),
    "DeviceClass": _plain,
    "ResourceClaim": lambda obj: (_name(obj), _claim_state(obj), _age(obj)),
    "ResourceClaimTemplate": _plain,
    "ResourceSlice": _slice,
    "DeviceTaintRule": _taint_rule,
}
