"""Rules of one device of a ResourceSlice: attributes, counters, taints, nodes, binding conditions."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from conformance.cluster.embedded.apiserver import formats, nodeselectors, rules
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    declared,
    invalid,
    required,
    too_long,
    too_many,
)
from conformance.cluster.embedded.apiserver.validation_capacity import validate_capacity

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_NODE_FIELDS = ("nodeName", "nodeSelector", "allNodes")
_MAX_ATTRIBUTES_AND_CAPACITIES = 32
_MAX_ATTRIBUTE_VALUES = 48
_VALUE_BYTES = 64
_TOO_MANY = "FieldValueTooMany"
_PER_DEVICE = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required "
    "when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
)
_NOT_PER_DEVICE = (
    "`nodeName`, `nodeSelector` and `allNodes` can only be set "
    "if `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
)


def validate_device(before: Mapping[str, Row], per_device: bool, device: Row, field: str) -> Errors:
    """validateDevice; `before` has the slice's devices as they were, by name: what is the same is not checked again."""
    name = device.get("name", "")
    old = before.get(name)
    yield from rules.device_name(name, f"{field}.name")
    yield from _sizes(device, field)
    for key, attribute in device.get("attributes", {}).items():
        yield from formats.qualified_name(key, f"{field}.attributes")
        yield from _attribute(attribute, f"{field}.attributes[{_short(key)}]")
    if old is None or old.get("capacity") != device.get("capacity"):
        yield from _capacities(device, field)
    if old is None or old.get("taints") != device.get("taints"):
        yield from rules.items(device.get("taints", []), 16, rules.taint, f"{field}.taints")
    consumed, rule = device.get("consumesCounters", []), partial(validate_counters, "counterSet")
    counters = rules.unique(consumed, 2, rule, lambda row: row.get("counterSet", ""), f"{field}.consumesCounters")
    for error in counters:
        # How many counters a device takes is the only rule about them that is not declared.
        yield error if error.type == _TOO_MANY and error.field.endswith(".counters") else next(declared([error]))
    yield from _nodes(device, field, per_device)
    yield from rules.binding_conditions(device, field)


def _sizes(device: Row, field: str) -> Errors:
    attributes = len(device.get("attributes", {}))
    total = attributes + len(device.get("capacity", {}))
    if total > _MAX_ATTRIBUTES_AND_CAPACITIES:
        limit = _MAX_ATTRIBUTES_AND_CAPACITIES
        yield invalid(field, total, f"the total number of attributes and capacities must not exceed {limit}")
    if attributes > _MAX_ATTRIBUTE_VALUES:
        limit = _MAX_ATTRIBUTE_VALUES
        yield invalid(field, attributes, f"the total number of attribute values must not exceed {limit}")


def _short(key: str) -> str:
    """A key as it stands in a path: cut in the middle when it is longer than any valid one."""
    limit = 63 + 1 + 32
    keep = limit - 3
    return key if len(key) <= limit else f"{key[: (keep + 1) // 2]}...{key[-(keep // 2) :]}"


def _attribute(attribute: Row, field: str) -> Errors:
    if "string" in attribute and len(attribute["string"].encode()) > _VALUE_BYTES:
        yield too_long(f"{field}.string", _VALUE_BYTES)
    if "version" in attribute:
        version = attribute["version"]
        if not formats.is_semver(version):
            yield invalid(f"{field}.version", version, "must be a string compatible with semver.org spec 2.0.0")
        if len(version.encode()) > _VALUE_BYTES:
            yield too_long(f"{field}.version", _VALUE_BYTES)
    if len(attribute) != 1:
        yield from declared([invalid(field, dict(attribute) or "", "exactly one value must be specified")])


def _capacities(device: Row, field: str) -> Errors:
    shared = bool(device.get("allowMultipleAllocations"))
    for key, capacity in device.get("capacity", {}).items():
        yield from formats.qualified_name(key, f"{field}.capacity")
        yield from validate_capacity(capacity, shared, f"{field}.capacity[{_short(key)}]")


def validate_counters(name_key: str, row: Row, field: str) -> Errors:
    """A counter set, or what a device takes from one (`name_key` is the field that names the set)."""
    name, counters = row.get(name_key, ""), row.get("counters", {})
    yield from rules.device_name(name, f"{field}.{name_key}") if name else [required(f"{field}.{name_key}")]
    if not counters:
        yield required(f"{field}.counters")
    elif len(counters) > 32:
        yield too_many(f"{field}.counters", len(counters), 32)
    else:
        for key in counters:
            yield from rules.device_name(key, f"{field}.counters")


def _nodes(device: Row, field: str, per_device: bool) -> Errors:
    if not per_device:
        if any(key in device for key in _NODE_FIELDS):
            yield invalid(field, None, _NOT_PER_DEVICE)
        return
    if device.get("nodeName") == "":
        yield invalid(f"{field}.nodeName", "", "must not be empty")
    elif "nodeName" in device:
        yield from rules.node_name(device["nodeName"], f"{field}.nodeName")
    if "nodeSelector" in device:
        yield from nodeselectors.node_selector(device["nodeSelector"], f"{field}.nodeSelector")
    if device.get("allNodes") is False:
        yield invalid(f"{field}.allNodes", False, "must be either unset or set to true")
    chosen = [f"`{key}`" for key in _NODE_FIELDS if device.get(key) not in (None, "", False)]
    if not chosen:
        yield required(field, _PER_DEVICE)
    elif len(chosen) > 1:
        yield invalid(field, f"{{{', '.join(chosen)}}}", _PER_DEVICE)
