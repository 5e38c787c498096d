"""Node selectors, of slices, allocations and pods."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, invalid, required

Errors = Iterator[FieldError]
Row = Mapping[str, Any]


def node_selector(selector: Row, field: str) -> Errors:
    """A node selector with at least one term."""
    terms = selector.get("nodeSelectorTerms", [])
    if not terms:
        yield required(f"{field}.nodeSelectorTerms", "must have at least one node selector term")
    for index, term in enumerate(terms):
        yield from node_selector_term(term, f"{field}.nodeSelectorTerms[{index}]")


def node_selector_term(term: Row, field: str, *, any_value: bool = False) -> Errors:
    """One term. `any_value`: of preferences, where values need not be those of labels."""
    for index, row in enumerate(term.get("matchExpressions", [])):
        yield from _expression(row, f"{field}.matchExpressions[{index}]", any_value=any_value)
    for index, row in enumerate(term.get("matchFields", [])):
        yield from _field_expression(row, f"{field}.matchFields[{index}]")


def _expression(row: Row, field: str, *, any_value: bool) -> Errors:
    operator, values = row.get("operator", ""), row.get("values", [])
    if operator in ("In", "NotIn") and not values:
        yield required(f"{field}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist") and values:
        text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
        yield forbidden(f"{field}.values", text)
    elif operator in ("Gt", "Lt") and len(values) != 1:
        yield required(f"{field}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
    elif operator not in ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"):
        yield invalid(f"{field}.operator", operator, "not a valid selector operator")
    yield from formats.each(formats.label_key(row.get("key", "")), f"{field}.key", row.get("key", ""))
    for index, value in enumerate(() if any_value else values):
        yield from formats.each(formats.label_value(value), f"{field}.values[{index}]", value)


def _field_expression(row: Row, field: str) -> Errors:
    values = row.get("values", [])
    if row.get("operator") not in ("In", "NotIn"):
        yield invalid(f"{field}.operator", row.get("operator", ""), "not a valid selector operator")
    elif len(values) != 1:
        text = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(f"{field}.values", text)
    if row.get("key") != "metadata.name":
        yield invalid(f"{field}.key", row.get("key", ""), "not a valid field selector key")
        return
    for index, value in enumerate(values):
        yield from formats.each(formats.dns_subdomain(value), f"{field}.values[{index}]", value)
