"""Rules that the spec and the status of a claim share, without those that are declared."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, required

Errors = Iterator[FieldError]
Row = Mapping[str, Any]


def toleration(row: Row, field: str) -> Errors:
    """The value of a toleration, by its operator."""
    value, operator = row.get("value", ""), row.get("operator", "")
    if operator == "Exists" and value:
        yield invalid(f"{field}.value", value, "must be empty for operator `Exists`")
    elif operator == "Equal":
        yield from formats.each(formats.label_value(value), f"{field}.value", value)


def opaque(row: Row, field: str) -> Errors:
    """A driver's opaque configuration."""
    if "opaque" not in row:
        yield required(f"{field}.opaque")
    else:
        yield from rules.raw_object(row["opaque"].get("parameters"), f"{field}.opaque.parameters")


def limited(rows: Sequence[Any], limit: int, rule: rules.Rule, field: str) -> Errors:
    """Items that are looked at unless there are too many, which another rule tells."""
    if len(rows) <= limit:
        yield from rules.items(rows, None, rule, field)
