"""What the kubelet writes about pods: their status and its events."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Object = dict[str, Any]
KUBELET_CONDITIONS = ("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready")


def now() -> str:
    """The time as the API writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Waiting:
    """Why a pod's containers wait. `container` "" means all of them."""

    reason: str
    message: str = ""
    container: str = ""


def pending(pod: Object, waiting: Waiting, resources: Mapping[str, Sequence[Object]] | None = None) -> Object:
    """The status of a pod whose containers do not all run; `resources` has allocatedResourcesStatus by container."""
    containers = [
        {**_waiting(spec, waiting), **_resources((resources or {}).get(spec["name"]))}
        for spec in pod["spec"]["containers"]
    ]
    return {
        "phase": "Pending",
        "startTime": _start_time(pod),
        "conditions": _conditions(pod, running=False),
        "containerStatuses": containers,
    }


def running(pod: Object, host_ip: str, resources: Mapping[str, Sequence[Object]]) -> Object:
    """The status of a pod whose containers all run; `resources` has allocatedResourcesStatus by container."""
    started = {"running": {"startedAt": now()}}
    status = {
        "phase": "Running",
        "startTime": _start_time(pod),
        "hostIP": host_ip,
        "podIP": host_ip,
        "podIPs": [{"ip": host_ip}],
        "conditions": _conditions(pod, running=True),
        "containerStatuses": [
            {**_container(spec, started, ready=True), **_resources(resources.get(spec["name"]))}
            for spec in pod["spec"]["containers"]
        ],
    }
    if pod["spec"].get("initContainers"):
        status["initContainerStatuses"] = [
            _container(spec, _completed(), ready=True) for spec in pod["spec"]["initContainers"]
        ]
    return status


def finished(pod: Object) -> Object:
    """The status of a pod whose containers were stopped and have ended well."""
    return {
        "phase": "Succeeded",
        "startTime": _start_time(pod),
        "conditions": _conditions(pod, running=False, reason="PodCompleted"),
        "containerStatuses": [_container(spec, _completed(), ready=False) for spec in pod["spec"]["containers"]],
    }


def event(pod: Object, reason: str, message: str, node: str, kind: str = "Warning") -> Object:
    """An event about a pod."""
    meta, at = pod["metadata"], now()
    return {
        "metadata": {"name": f"{meta['name']}.{uuid.uuid4().hex[:16]}", "namespace": meta["namespace"]},
        "involvedObject": {
            "apiVersion": "v1",
            "kind": "Pod",
            "name": meta["name"],
            "namespace": meta["namespace"],
            "uid": meta["uid"],
            "resourceVersion": meta.get("resourceVersion", ""),
        },
        "reason": reason,
        "message": message,
        "type": kind,
        "source": {"component": "kubelet", "host": node},
        "reportingComponent": "kubelet",
        "reportingInstance": node,
        "firstTimestamp": at,
        "lastTimestamp": at,
        "count": 1,
    }


def _start_time(pod: Object) -> str:
    return str((pod.get("status") or {}).get("startTime") or now())


def _conditions(pod: Object, *, running: bool, reason: str = "") -> Sequence[Object]:
    kept = [c for c in (pod.get("status") or {}).get("conditions") or () if c["type"] not in KUBELET_CONDITIONS]
    value: Object = {"status": "True"} if running else {"status": "False", "reason": reason or "ContainersNotReady"}
    made: list[Object] = [{"type": kind, "lastTransitionTime": now(), **value} for kind in KUBELET_CONDITIONS]
    return kept + made


def _waiting(spec: Object, waiting: Waiting) -> Object:
    if waiting.container and waiting.container != spec["name"]:
        return _container(spec, {"waiting": {"reason": "ContainerCreating"}}, ready=False)
    text = {"message": waiting.message} if waiting.message else {}
    return _container(spec, {"waiting": {"reason": waiting.reason, **text}}, ready=False)


def _container(spec: Object, state: Object, *, ready: bool) -> Object:
    return {
        "name": spec["name"],
        "image": spec.get("image", ""),
        "imageID": "",
        "ready": ready,
        "started": ready and "running" in state,
        "restartCount": 0,
        "state": state,
    }


def _resources(rows: Sequence[Object] | None) -> Object:
    return {"allocatedResourcesStatus": rows} if rows else {}


def shown_resources(pod: Object) -> dict[str, Sequence[Object]]:
    """allocatedResourcesStatus by container, as the pod's status has it."""
    statuses = (pod.get("status") or {}).get("containerStatuses") or ()
    return {s["name"]: s["allocatedResourcesStatus"] for s in statuses if s.get("allocatedResourcesStatus")}


def _completed() -> Object:
    at = now()
    return {"terminated": {"exitCode": 0, "reason": "Completed", "startedAt": at, "finishedAt": at}}
