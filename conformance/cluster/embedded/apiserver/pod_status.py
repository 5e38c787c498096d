"""The status that a pod begins with: its class of service, and that it waits at a gate.

Source: PrepareForCreate of pkg/registry/core/pod/strategy.go, ComputePodQOS of pkg/apis/core/v1/helper/qos.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object, clone, timestamp
from conformance.cluster.embedded.apiserver.quantities import value_of

_COUNTED = ("cpu", "memory")
_NUMBERS = ("qosClass", "observedGeneration")
_LASTING = (
    *(*_NUMBERS, "resourceClaimStatuses", "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses"),
)


def first_status(pod: Object) -> Object:
    """The status of a new pod."""
    status: Object = {"phase": "Pending", "qosClass": _class_of_service(pod["spec"])}
    if pod["spec"].get("schedulingGates"):
        condition = {
            "type": "PodScheduled",
            "status": "False",
            "lastTransitionTime": timestamp(),
            "reason": "SchedulingGated",
            "message": "Scheduling is blocked due to non-empty scheduling gates",
        }
        status["conditions"] = [condition]
    return status


def keep_reported(pod: Object, old: Object) -> None:
    """What a writer of a status cannot take away, or may not know of (PrepareForUpdate of podStatusStrategy)."""
    now, before, meta = pod.setdefault("status", {}), old.get("status", {}), pod["metadata"]
    for key in _LASTING:
        if before.get(key) and not now.get(key) and (key in _NUMBERS or key not in now):
            now[key] = before[key]
    meta.pop("ownerReferences", None)
    if "ownerReferences" in old["metadata"]:
        meta["ownerReferences"] = clone(old["metadata"]["ownerReferences"])
    generations: dict[str, list[int]] = {}
    for row in before.get("conditions", []):
        generations.setdefault(row.get("type", ""), []).append(row.get("observedGeneration", 0))
    for row in now.get("conditions", []):
        seen = generations.get(row.get("type", ""))
        generation = seen.pop(0) if seen else 0
        if generation and not row.get("observedGeneration"):
            row["observedGeneration"] = generation


def _class_of_service(spec: Object) -> str:
    resources = list(_resources(spec))
    requests, limits = (_sum(resources, kind) for kind in ("requests", "limits"))
    if not requests and not limits:
        return "BestEffort"
    limited = all(set(_COUNTED) <= set(_amounts(row, "limits")) for row in resources)
    return "Guaranteed" if limited and requests == limits else "Burstable"


def _resources(spec: Object) -> Iterator[Object]:
    """Those of the pod as a whole, if it has any, else those of each container."""
    if any(_amounts(spec.get("resources") or {}, kind) for kind in ("requests", "limits")):
        yield spec["resources"]
        return
    for container in [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]:
        yield container.get("resources") or {}


def _amounts(resources: Object, kind: str) -> dict[str, Decimal]:
    values = {name: value_of(str(value)) for name, value in (resources.get(kind) or {}).items()}
    return {name: value for name, value in values.items() if name in _COUNTED and value}


def _sum(rows: list[Any], kind: str) -> dict[str, Decimal]:
    total: dict[str, Decimal] = {}
    for row in rows:
        for name, amount in _amounts(row, kind).items():
            total[name] = total.get(name, Decimal(0)) + amount
    return total
