"""What has become of the pods and claims of a problem, so that it can be compared."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from conformance.cluster.api import Api

Obj = dict[str, Any]
_RANDOM = "*****"
_EXTENDED = "resource.kubernetes.io/extended-resource-claim"


def answers(api: Api, namespaces: Iterable[str]) -> dict[str, Obj]:
    """The answer of each problem, by namespace."""
    found: dict[str, Obj] = {name: {} for name in namespaces}
    pods, claims = (_by_namespace(api.list(kind)["items"], found) for kind in ("pods", "resourceclaims"))
    return {name: _answer(pods[name], claims[name]) for name in found}


def _by_namespace(objects: Iterable[Obj], names: Iterable[str]) -> dict[str, list[Obj]]:
    sorted_: dict[str, list[Obj]] = {name: [] for name in names}
    for obj in objects:
        if obj["metadata"]["namespace"] in sorted_:
            sorted_[obj["metadata"]["namespace"]].append(obj)
    return sorted_


def _answer(pods: Iterable[Obj], claims: Iterable[Obj]) -> Obj:
    names = {claim["metadata"]["name"]: _name(claim) for claim in claims}
    answer = {f"pod {pod['metadata']['name']}": _pod(pod) for pod in pods}
    answer |= {f"claim {names[claim['metadata']['name']]}": _claim(claim) for claim in claims}
    renamed: Obj = _renamed(answer, {name: to for name, to in names.items() if name != to})
    return renamed


def _name(claim: Obj) -> str:
    """The name, without its random part where it was generated."""
    generated = claim["metadata"].get("generateName")
    return f"{generated}{_RANDOM}" if generated else claim["metadata"]["name"]


def _pod(pod: Obj) -> Obj:
    status = pod.get("status") or {}
    conditions = {row["type"]: row for row in status.get("conditions") or ()}
    scheduled = conditions.get("PodScheduled") or {}
    told = {key: scheduled.get(key) for key in ("status", "reason", "message") if scheduled.get(key)}
    answer: Obj = {"node": pod["spec"].get("nodeName"), "PodScheduled": told}
    for field in ("resourceClaimStatuses", "extendedResourceClaimStatus", "nominatedNodeName"):
        if status.get(field):
            answer[field] = status[field]
    if "DisruptionTarget" in conditions:
        answer["DisruptionTarget"] = conditions["DisruptionTarget"].get("reason")
    return answer


def _claim(claim: Obj) -> Obj:
    status = claim.get("status") or {}
    answer: Obj = {"finalizers": claim["metadata"].get("finalizers", [])}
    if status.get("reservedFor"):
        answer["reservedFor"] = sorted(row["name"] for row in status["reservedFor"])
    allocation = dict(status.get("allocation") or {})
    if allocation:
        allocation["allocationTimestamp"] = bool(allocation.get("allocationTimestamp"))
        answer["allocation"] = _shares(allocation)
    if claim["metadata"].get("annotations", {}).get(_EXTENDED):
        answer["spec"] = claim["spec"]
    return answer


def _shares(allocation: Obj) -> Obj:
    """With share IDs that are made up when the claim is allocated by their number."""
    numbers: dict[str, str] = {}
    results = []
    for result in allocation["devices"].get("results") or ():
        share = result.get("shareID", "")
        if share and not share.startswith("00000000"):
            result = {**result, "shareID": numbers.setdefault(share, f"share {len(numbers)}")}
        results.append(result)
    return {**allocation, "devices": {**allocation["devices"], "results": results}}


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if not names:
        return value
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if isinstance(value, str):
        return re.sub("|".join(map(re.escape, names)), lambda found: names[found[0]], value)
    return value


def waiting(answer: Obj) -> int:
    """How many pods have no node."""
    return sum(key.startswith("pod ") and not value["node"] for key, value in answer.items())
