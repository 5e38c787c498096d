"""Which nodes a selector matches: node selectors of slices and allocations, node affinity of pods.

Source: component-helpers/scheduling/corev1/nodeaffinity.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]


def matches_selector(node: Json, selector: Json) -> bool:
    """Whether one of the terms matches."""
    return any(matches_term(node, term) for term in selector.get("nodeSelectorTerms") or ())


def matches_target(node: Json, target: Json) -> bool:
    """Whether a slice or a device says that the node can use it: nodeName, allNodes or nodeSelector."""
    if target.get("nodeName"):
        return bool(target["nodeName"] == node["metadata"]["name"])
    if target.get("allNodes"):
        return True
    return bool(target.get("nodeSelector")) and matches_selector(node, target["nodeSelector"])


def matches_pod(node: Json, pod: Json) -> bool:
    """Whether the pod's nodeSelector and required node affinity allow the node."""
    spec = pod.get("spec") or {}
    labels = node["metadata"].get("labels") or {}
    if any(labels.get(key) != value for key, value in (spec.get("nodeSelector") or {}).items()):
        return False
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return required is None or matches_selector(node, required)


def matches_term(node: Json, term: Json) -> bool:
    """Whether all requirements of a term are met; one without requirements matches nothing."""
    expressions = term.get("matchExpressions") or ()
    fields = term.get("matchFields") or ()
    if not expressions and not fields:
        return False
    metadata = node["metadata"]
    return _all(expressions, metadata.get("labels") or {}) and _all(fields, {"metadata.name": metadata["name"]})


def _all(requirements: Sequence[Json], values: Mapping[str, str]) -> bool:
    return all(_requirement(requirement, values) for requirement in requirements)


def _requirement(requirement: Json, values: Mapping[str, str]) -> bool:
    wanted = requirement.get("values") or ()
    value = values.get(requirement["key"])
    match requirement["operator"]:
        case "In":
            return value in wanted
        case "NotIn":
            return value not in wanted
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt" as operator:
            return _number(value, wanted, operator)
        case _:
            return False


def _number(value: str | None, wanted: Sequence[str], operator: str) -> bool:
    try:
        have, limit = int(value or ""), int(wanted[0])
    except (ValueError, IndexError):
        return False
    return have > limit if operator == "Gt" else have < limit
