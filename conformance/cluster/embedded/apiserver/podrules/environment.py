"""Environment variables of containers, and where they come from."""

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import invalid, required
from conformance.cluster.embedded.apiserver.podrules.references import (
    VARIABLE_FIELDS,
    field_reference,
    resource_reference,
)
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, config_key

_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_BAD_NAME = "a valid environment variable name must consist only of printable ASCII characters other than '='"


def variables(container: Row, field: str) -> Errors:
    """env and envFrom."""
    for index, row in enumerate(container.get("env", [])):
        place, name = f"{field}.env[{index}]", row.get("name", "")
        if not name:
            yield required(f"{place}.name")
        yield from _name(name, f"{place}.name")
        if "valueFrom" in row:
            yield from _source(row, f"{place}.valueFrom")
    for index, row in enumerate(container.get("envFrom", [])):
        yield from _name(row.get("prefix", ""), f"{field}.envFrom[{index}].prefix")
        yield from _all_of(row, field, f"{field}.envFrom[{index}]")


def _name(name: str, field: str) -> Errors:
    if any(not " " <= letter <= "~" or letter == "=" for letter in name):
        yield invalid(field, name, _BAD_NAME)


def _source(row: Row, field: str) -> Errors:
    source = row["valueFrom"]
    if "fieldRef" in source:
        yield from field_reference(source["fieldRef"], VARIABLE_FIELDS, f"{field}.fieldRef")
    if "resourceFieldRef" in source:
        yield from resource_reference(source["resourceFieldRef"], f"{field}.resourceFieldRef")
    for kind in ("configMapKeyRef", "secretKeyRef"):
        if kind in source:
            yield from _key(source[kind], f"{field}.{kind}")
    count = sum(kind in source for kind in _SOURCES)
    if not count:
        names = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        yield invalid(field, "", f"must specify one of: {names}")
    elif row.get("value"):
        yield invalid(field, "", "may not be specified when `value` is not empty")
    elif count > 1:
        yield invalid(field, "", "may not have more than one field specified at a time")


def _key(row: Row, field: str) -> Errors:
    name = row.get("name", "")
    yield from formats.each(formats.dns_subdomain(name), f"{field}.name", name)
    if not row.get("key"):
        yield required(f"{field}.key")
    else:
        yield from formats.each(config_key(row["key"]), f"{field}.key", row["key"])


def _all_of(row: Row, field: str, place: str) -> Errors:
    """All keys of a ConfigMap or a Secret."""
    kinds = [kind for kind in ("configMapRef", "secretRef") if kind in row]
    for kind in kinds:
        name = row[kind].get("name", "")
        if not name:
            yield required(f"{place}.{kind}.name")
        else:
            # The name of what is made of a prefix may end with a dash.
            shown = f"{name[:-1]}a" if name.endswith("-") else name
            yield from formats.each(formats.dns_subdomain(shown), f"{place}.{kind}.name", name)
    if not kinds:
        yield invalid(f"{field}.envFrom", "", "must specify one of: `configMapRef` or `secretRef`")
    elif len(kinds) > 1:
        yield invalid(f"{field}.envFrom", "", "may not have more than one field specified at a time")
