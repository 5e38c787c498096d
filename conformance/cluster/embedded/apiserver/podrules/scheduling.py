"""Where a pod may run: tolerations, affinities, spreading, gates."""

from collections.abc import Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, nodeselectors, rules
from conformance.cluster.embedded.apiserver.field_errors import (
    duplicate,
    invalid,
    not_supported,
    required,
)
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, label_selector, labels

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_ANY_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
_WEIGHTS = "must be in the range 1-100"
_COMPARING = ("Lt", "Gt")  # of a feature that is off


def scheduling(spec: Row) -> Errors:
    """All of it."""
    yield from labels(spec.get("nodeSelector") or {}, "spec.nodeSelector")
    yield from _affinity(spec.get("affinity") or {}, "spec.affinity")
    yield from _gates(spec.get("schedulingGates", []), "spec.schedulingGates")
    yield from _spread(spec.get("topologySpreadConstraints", []), "spec.topologySpreadConstraints")
    if spec.get("nodeName"):
        yield from rules.node_name(spec["nodeName"], "spec.nodeName")
    yield from tolerations(spec.get("tolerations", []), "spec.tolerations")
    if spec.get("priorityClassName"):
        yield from rules.node_name(spec["priorityClassName"], "spec.priorityClassName")
    if "runtimeClassName" in spec:
        yield from rules.node_name(spec["runtimeClassName"], "spec.runtimeClassName")
    if "preemptionPolicy" in spec:
        yield from rules.one_of(spec["preemptionPolicy"], ("PreemptLowerPriority", "Never"), "spec.preemptionPolicy")


def tolerations(rows: Sequence[Any], field: str) -> Errors:
    """Tolerations of node taints (ValidateTolerations)."""
    for index, row in enumerate(rows):
        place = f"{field}[{index}]"
        key, operator, value, effect = (row.get(name, "") for name in ("key", "operator", "value", "effect"))
        if key:
            yield from rules.label_name(key, f"{place}.key")
        elif operator != "Exists":
            yield invalid(f"{place}.operator", operator, _ANY_KEY)
        if "tolerationSeconds" in row and effect != "NoExecute":
            yield invalid(f"{place}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
        yield from _operator(operator, value, place)
        if effect and effect not in _EFFECTS:
            yield not_supported(f"{place}.effect", effect, _EFFECTS)


def _operator(operator: str, value: str, place: str) -> Errors:
    if operator in ("Equal", ""):
        if faults := list(formats.label_value(value)):
            yield invalid(f"{place}.operator", value, ";".join(faults))
    elif operator == "Exists":
        if value:
            yield invalid(f"{place}.operator", value, "value must be empty when `operator` is 'Exists'")
    else:
        known = ("Equal", "Exists", *(_COMPARING if operator in _COMPARING else ()))
        yield not_supported(f"{place}.operator", operator, known)


def _affinity(row: Row, field: str) -> Errors:
    node = row.get("nodeAffinity") or {}
    if _REQUIRED in node:
        yield from nodeselectors.node_selector(node[_REQUIRED], f"{field}.nodeAffinity.{_REQUIRED}")
    for index, term in enumerate(node.get(_PREFERRED, [])):
        place = f"{field}.nodeAffinity.{_PREFERRED}[{index}]"
        yield from _weight(term, place)
        yield from nodeselectors.node_selector_term(term.get("preference") or {}, f"{place}.preference", any_value=True)
    for kind in ("podAffinity", "podAntiAffinity"):
        pods = row.get(kind) or {}
        for index, term in enumerate(pods.get(_REQUIRED, [])):
            yield from _pod_term(term, f"{field}.{kind}.{_REQUIRED}[{index}]")
        for index, term in enumerate(pods.get(_PREFERRED, [])):
            place = f"{field}.{kind}.{_PREFERRED}[{index}]"
            yield from _weight(term, place)
            yield from _pod_term(term.get("podAffinityTerm") or {}, f"{place}.podAffinityTerm")


def _weight(row: Row, field: str) -> Errors:
    if not 1 <= row.get("weight", 0) <= 100:
        yield invalid(f"{field}.weight", row.get("weight", 0), _WEIGHTS)


def _pod_term(row: Row, field: str) -> Errors:
    for key in ("labelSelector", "namespaceSelector"):
        if key in row:
            yield from label_selector(row[key], f"{field}.{key}")
    for name in row.get("namespaces", []):
        yield from formats.each(formats.dns_label(name), f"{field}.namespace", name)
    topology = row.get("topologyKey", "")
    if not topology:
        yield required(f"{field}.topologyKey", "can not be empty")
    yield from rules.label_name(topology, f"{field}.topologyKey")


def _gates(rows: Sequence[Any], field: str) -> Errors:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        place, name = f"{field}[{index}]", row.get("name", "")
        yield from rules.label_name(name, place)
        if name in seen:
            yield duplicate(place, name)
        seen.add(name)


def _spread(rows: Sequence[Any], field: str) -> Errors:
    pairs = [(row.get("topologyKey", ""), row.get("whenUnsatisfiable", "")) for row in rows]
    for index, row in enumerate(rows):
        place, (topology, action) = f"{field}[{index}]", pairs[index]
        yield from _positive(row.get("maxSkew", 0), f"{place}.maxSkew")
        if not topology:
            yield required(f"{place}.topologyKey", "can not be empty")
        if action not in ("DoNotSchedule", "ScheduleAnyway"):
            yield not_supported(f"{place}.whenUnsatisfiable", action, ("DoNotSchedule", "ScheduleAnyway"))
        if pairs[index] in pairs[index + 1 :]:
            yield duplicate(f"{place}.{{topologyKey, whenUnsatisfiable}}", f"{{{topology}, {action}}}")
        if "minDomains" in row:
            yield from _positive(row["minDomains"], f"{place}.minDomains")
            if action != "DoNotSchedule":
                why = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
                yield invalid(f"{place}.minDomains", row["minDomains"], why)
        for key in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            if row.get(key, "Honor") not in ("Honor", "Ignore"):
                yield not_supported(f"{place}.{key}", row[key], ("Honor", "Ignore"))
        yield from label_selector(row.get("labelSelector") or {}, f"{place}.labelSelector")


def _positive(value: int, field: str) -> Errors:
    if value <= 0:
        yield invalid(field, value, "must be greater than 0")
