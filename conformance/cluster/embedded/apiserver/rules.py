"""Rules that several kinds share: lists and sets, node selectors, conditions, taints, CEL, opaque parameters."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    declared,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
)
from conformance.cluster.embedded.apiserver.validation_meta import core_metadata
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Rule = Callable[[Any, str], Errors]

IMMUTABLE = "field is immutable"
_EFFECTS = ("NoExecute", "NoSchedule", "None")
_PARAMETER_BYTES = 10 * 1024
_CEL_BYTES = 10 * 1024
_REASON_BYTES = 1024
_MESSAGE_BYTES = 32 * 1024
_ZERO_TIME = "0001-01-01T00:00:00Z"


def items(rows: Sequence[Any], limit: int | None, rule: Rule, field: str) -> Errors:
    """At most `limit` items, each by the rule."""
    if limit is not None and len(rows) > limit:
        yield too_many(field, len(rows), limit)
        return
    for index, row in enumerate(rows):
        yield from rule(row, f"{field}[{index}]")


def unique(rows: Sequence[Any], limit: int | None, rule: Rule, key: Callable[[Any], Any], field: str) -> Errors:
    """As `items`, and no two with the same key."""
    yield from items(rows, limit, rule, field)
    if limit is not None and len(rows) > limit:
        return
    seen: set[Any] = set()
    for index, row in enumerate(rows):
        value = key(row)
        if value in seen:
            yield duplicate(f"{field}[{index}]", value)
        seen.add(value)


def label_name(value: str, field: str) -> Errors:
    """A label key."""
    return formats.each(formats.label_key(value), field, value)


def device_name(value: str, field: str) -> Errors:
    """A DNS label."""
    return formats.each(formats.dns_label(value), field, value)


def node_name(value: str, field: str) -> Errors:
    """A DNS subdomain."""
    return formats.each(formats.dns_subdomain(value), field, value)


def one_of(value: str, allowed: Sequence[str], field: str) -> Errors:
    """A required value of an enumeration."""
    if not value:
        yield required(field)
    elif value not in allowed:
        yield not_supported(field, value, allowed)


def immutable(new: Any, old: Any, field: str) -> Errors:
    """The same as before; an empty list is none."""
    if bare(new) != bare(old):
        yield invalid(field, new, IMMUTABLE)


def bare(value: Any) -> Any:
    """A value without the lists, maps and nulls in it that are empty."""
    if isinstance(value, Mapping):
        pairs = ((key, bare(item)) for key, item in value.items())
        return {key: item for key, item in pairs if item is not None and item not in ([], {})}
    return [bare(item) for item in value] if isinstance(value, list) else value


def taint(row: Mapping[str, Any], field: str) -> Errors:
    """A device taint."""
    yield from label_name(row.get("key", ""), f"{field}.key")
    if row.get("value"):
        yield from formats.each(formats.label_value(row["value"]), f"{field}.value", row["value"])
    yield from declared(one_of(row.get("effect", ""), _EFFECTS, f"{field}.effect"))


def toleration(row: Mapping[str, Any], field: str) -> Errors:
    """A toleration of device taints."""
    value, operator = row.get("value", ""), row.get("operator", "")
    if row.get("key"):
        yield from label_name(row["key"], f"{field}.key")
    if operator == "Exists" and value:
        yield invalid(f"{field}.value", value, "must be empty for operator `Exists`")
    elif operator == "Equal":
        yield from formats.each(formats.label_value(value), f"{field}.value", value)
    yield from one_of(operator, ("Equal", "Exists"), f"{field}.operator")
    if row.get("effect"):
        yield from one_of(row["effect"], _EFFECTS, f"{field}.effect")


def binding_conditions(row: Mapping[str, Any], field: str) -> Errors:
    """bindingConditions and bindingFailureConditions: both or none, at most 4 each, no name twice."""
    wanted, failed = row.get("bindingConditions", []), row.get("bindingFailureConditions", [])
    same: Callable[[Any], Any] = str
    for key, names in (("bindingConditions", wanted), ("bindingFailureConditions", failed)):
        errors = list(unique(names, 4, label_name, same, f"{field}.{key}"))
        yield from declared(errors) if len(names) > 4 else errors
    for index, name in enumerate(failed):
        if name in wanted:
            text = "bindingFailureConditions must not overlap with bindingConditions"
            yield invalid(f"{field}.bindingFailureConditions[{index}]", name, text)
    if failed and not wanted:
        text = "bindingConditions are required to use bindingFailureConditions"
        yield invalid(f"{field}.bindingConditions", wanted, text)
    if wanted and not failed:
        text = "bindingFailureConditions are required to use bindingConditions"
        yield invalid(f"{field}.bindingFailureConditions", failed, text)


def raw_object(value: Any, field: str, limit: int = _PARAMETER_BYTES) -> Errors:
    """Free JSON of a driver: an object of at most `limit` bytes."""
    if value is None:
        yield required(field)
    elif len(json.dumps(value, separators=(",", ":")).encode()) > limit:
        yield too_long(field, limit)
    elif not isinstance(value, Mapping):
        yield invalid(field, "<value omitted>", "must be a valid JSON object")


def configuration(row: Mapping[str, Any], field: str) -> Errors:
    """A driver's opaque configuration."""
    opaque = row.get("opaque")
    if opaque is None:
        yield required(f"{field}.opaque")
        return
    yield from formats.driver_name(opaque.get("driver", ""), f"{field}.opaque.driver")
    yield from raw_object(opaque.get("parameters"), f"{field}.opaque.parameters")


def selectors(rows: Sequence[Any], field: str) -> Errors:
    """At most 32 CEL selectors that compile."""
    return items(rows, 32, _selector, field)


def _selector(row: Mapping[str, Any], field: str) -> Errors:
    if "cel" not in row:
        yield required(f"{field}.cel")
        return
    expression = row["cel"].get("expression", "")
    place = f"{field}.cel.expression"
    if len(expression.encode()) > _CEL_BYTES:
        yield too_long(place, _CEL_BYTES)
        return
    # Not at the top: the scheduler's package imports the store.
    from conformance.cluster.embedded.scheduler import cel

    try:
        cel.check(expression)
    except cel.CostError as error:
        yield forbidden(place, str(error))
    except cel.InternalError as error:
        yield FieldError("InternalError", place, "", str(error))
    except cel.CelError as error:
        yield invalid(place, expression, str(error))


def conditions(rows: Sequence[Any], limit: int, field: str) -> Errors:
    """metav1.Conditions, at most `limit`, one of a type."""
    if len(rows) > limit:
        yield too_many(field, len(rows), limit)
    yield from unique(rows, None, _condition, lambda row: row.get("type", ""), field)


def _condition(row: Mapping[str, Any], field: str) -> Errors:
    if not row.get("type"):
        yield required(f"{field}.type", "is required")
    else:
        yield from label_name(row["type"], f"{field}.type")
    yield from one_of(row.get("status", ""), ("False", "True", "Unknown"), f"{field}.status")
    if row.get("observedGeneration", 0) < 0:
        yield invalid(f"{field}.observedGeneration", row["observedGeneration"], "must be greater than or equal to zero")
    if row.get("lastTransitionTime") in (None, _ZERO_TIME):
        yield required(f"{field}.lastTransitionTime")
    reason = row.get("reason", "")
    if not reason:
        yield required(f"{field}.reason")
    else:
        yield from formats.each(formats.condition_reason(reason), f"{field}.reason", reason)
        if len(reason.encode()) > _REASON_BYTES:
            yield too_long(f"{field}.reason", _REASON_BYTES)
    if len(row.get("message", "").encode()) > _MESSAGE_BYTES:
        yield too_long(f"{field}.message", _MESSAGE_BYTES)


def metadata(
    obj: Mapping[str, Any], names: Callable[[str], Iterator[str]] = formats.dns_subdomain, *, prefix: bool = True
) -> Errors:
    """Object metadata: a name, and well-formed labels, annotations and finalizers."""
    return core_metadata(obj["metadata"], names, prefix=prefix)


def new_metadata(write: Write) -> Errors:
    """Metadata of an object that is created: for some kinds nothing of it is looked at twice."""
    if write.creates:
        yield from metadata(write.new)
