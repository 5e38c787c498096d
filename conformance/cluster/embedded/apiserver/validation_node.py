"""Rules of Node (pkg/apis/core/validation/validation.go, ValidateNode, ValidateNodeUpdate)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    forbidden,
    invalid,
    not_supported,
    required,
)
from conformance.cluster.embedded.apiserver.podrules.resources import amounts
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_UNIQUE = "taints must be unique by key and effect pair"


def validate(write: Write) -> Sequence[FieldError]:
    """Metadata, taints, quantities, and what stays once it is set."""
    spec, status = write.new.get("spec") or {}, write.new.get("status") or {}
    errors = list(rules.metadata(write.new))
    errors += _taints(spec.get("taints", []))
    for key in ("capacity", "allocatable"):
        errors += amounts(status.get(key, {}), f"status.{key}")
    return [*errors, *_kept(spec, (write.old or {}).get("spec") or {})]


def _taints(rows: Sequence[Any]) -> Errors:
    seen: set[tuple[str, str]] = set()
    for index, row in enumerate(rows):
        field, key = f"metadata.taints[{index}]", (row.get("key", ""), row.get("effect", ""))
        yield from rules.label_name(key[0], f"{field}.key")
        faults = list(formats.label_value(row.get("value", "")))
        if faults:
            yield invalid(f"{field}.value", row.get("value", ""), ";".join(faults))
        if not key[1]:
            yield required(f"{field}.effect")
        elif key[1] not in _EFFECTS:
            yield not_supported(f"{field}.effect", key[1], _EFFECTS)
        if key in seen:
            yield FieldError("FieldValueDuplicate", field, row, _UNIQUE)
        seen.add(key)


def _kept(spec: Mapping[str, Any], old: Mapping[str, Any]) -> Errors:
    before = old.get("podCIDRs") or []
    if before and spec.get("podCIDRs") != before:
        yield forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid')
    if old.get("providerID") and spec.get("providerID", "") != old["providerID"]:
        how = "modified" if spec.get("providerID") else "cleared"
        yield invalid("spec.providerID", None, f"field cannot be {how} once set")
