"""What of a pod may change (ValidatePodUpdate)."""

from collections.abc import Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import writing
from conformance.cluster.embedded.apiserver.field_errors import forbidden, invalid, required
from conformance.cluster.embedded.apiserver.objects import clone
from conformance.cluster.embedded.apiserver.podrules.words import MOST_INT32, Errors, Row, between

_GROUPS = ("containers", "initContainers")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_MAY_CHANGE = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)
_TOLERATION = "existing toleration can not be modified except its tolerationSeconds"


def kept(spec: Row, old: Row) -> Errors:
    """All but a few fields are as they were."""
    for group in _GROUPS:
        rows = spec.get(group, [])
        if len(rows) != len(old.get(group, [])):
            yield forbidden(f"spec.{group}", "pod updates may not add or remove containers")
            return
        for index, row in enumerate(rows):
            if not row.get("image"):
                yield required(f"spec.{group}[{index}].image")
    errors = list(_deadline(spec, old))
    yield from errors
    if errors and "activeDeadlineSeconds" in spec:
        return
    before = [_without_seconds(row) for row in old.get("tolerations", [])]
    now = [_without_seconds(row) for row in spec.get("tolerations", [])]
    if any(row not in now for row in before):
        yield forbidden("spec.tolerations", _TOLERATION)
    yield from _gates(spec.get("schedulingGates", []), old.get("schedulingGates", []))
    new, was = _fixed(spec, old), _fixed(old, old)
    if old.get("schedulingGates"):
        yield from _node_selector(new, was)
        yield from _node_affinity(new, was)
    if new != was:
        yield forbidden("spec", _MAY_CHANGE)


def _without_seconds(toleration: Row) -> Row:
    return {key: value for key, value in toleration.items() if key != "tolerationSeconds"}


def _deadline(spec: Row, old: Row) -> Errors:
    now, before = spec.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds")
    field = "spec.activeDeadlineSeconds"
    if now is None:
        if before is not None:
            yield invalid(field, None, "must not update from a positive integer to nil value")
    elif not 0 <= now <= MOST_INT32:
        yield invalid(field, now, between(0, MOST_INT32))
    elif before is not None and before < now:
        yield invalid(field, now, "must be less than or equal to previous value")


def _gates(rows: Sequence[Row], old: Sequence[Row]) -> Errors:
    before = [row.get("name", "") for row in old]
    last = {row.get("name", ""): index for index, row in enumerate(rows)}
    for name, index in last.items():
        if name not in before:
            why = f"only deletion is allowed, but found new scheduling gate '{name}'"
            yield forbidden(f"spec.schedulingGates[{index}].name", why)


def _fixed(spec: Row, old: Row) -> dict[str, Any]:
    """The part of a spec that may not change, in the stored form."""
    rest: dict[str, Any] = clone(writing.write("v1.PodSpec", spec))
    for key in ("activeDeadlineSeconds", "schedulingGates", "tolerations"):
        rest.pop(key, None)
    for group in _GROUPS:
        for container in rest.get(group, []):
            container.pop("image", None)
    if old.get("terminationGracePeriodSeconds", 0) < 0 and rest.get("terminationGracePeriodSeconds") == 1:
        rest["terminationGracePeriodSeconds"] = old["terminationGracePeriodSeconds"]
    return rest


def _node_selector(new: dict[str, Any], old: dict[str, Any]) -> Errors:
    """A pod that waits at a gate may be given more labels that its node must have."""
    now, before = new.pop("nodeSelector", {}), old.pop("nodeSelector", {})
    if before.items() - now.items():
        why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        yield invalid("spec.nodeSelector", now, why)


def _node_affinity(new: dict[str, Any], old: dict[str, Any]) -> Errors:
    """And each of its terms more conditions."""
    now, before = _terms(new), _terms(old)
    field = f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms"
    if before and len(before) != len(now):
        yield invalid(field, now, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")
        return
    for index, row in enumerate(before):
        if not _adds(now[index], row):
            yield invalid(f"{field}[{index}]", now[index], "only additions are allowed (no mutations or deletions)")


def _terms(spec: dict[str, Any]) -> list[Any]:
    """The terms; the node affinity is taken out."""
    affinity = spec.get("affinity") or {}
    node = affinity.pop("nodeAffinity", None) or {}
    if not affinity:
        spec.pop("affinity", None)
    return list((node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or [])


def _adds(new: Row, old: Row) -> bool:
    parts = [(new.get(key) or [], old.get(key) or []) for key in ("matchExpressions", "matchFields")]
    if not any(before for _, before in parts):
        return not any(now for now, _ in parts)
    return all(now[: len(before)] == before for now, before in parts)
