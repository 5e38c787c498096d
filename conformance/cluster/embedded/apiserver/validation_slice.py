"""Rules of ResourceSlice (pkg/apis/resource/validation/validation.go, ValidateResourceSlice)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from conformance.cluster.embedded.apiserver import formats, nodeselectors, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, required
from conformance.cluster.embedded.apiserver.validation_device import validate_counters, validate_device
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_SELECTIONS = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
_ONE_SELECTION = f"exactly one of {', '.join(f'`{name}`' for name in _SELECTIONS)} is required"
_MAX_DEVICES = 128
_MAX_DEVICES_WITH_MORE = 64


def validate(write: Write) -> Sequence[FieldError]:
    """ValidateResourceSlice, ValidateResourceSliceUpdate."""
    spec = write.new["spec"]
    old = write.old["spec"] if write.old else None
    errors = [*rules.new_metadata(write), *formats.driver_name(spec.get("driver", ""), "spec.driver")]
    errors += _pool(spec["pool"])
    if old is not None:
        errors += _kept(spec, old)
    errors += _nodes(spec)
    if "sharedCounters" in spec and "devices" in spec:
        errors.append(invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed"))
    return [*errors, *_devices(spec, old), *_counter_sets(spec)]


def _pool(pool: Row) -> Errors:
    yield from formats.pool_name(pool.get("name", ""), "spec.pool.name")
    count, generation = pool.get("resourceSliceCount", 0), pool.get("generation", 0)
    if count <= 0:
        yield invalid("spec.pool.resourceSliceCount", count, "must be greater than zero")
    if generation < 0:
        yield invalid("spec.pool.generation", generation, "must be greater than or equal to zero")


def _kept(spec: Row, old: Row) -> Errors:
    yield from rules.immutable(spec["pool"].get("name", ""), old["pool"]["name"], "spec.pool.name")
    yield from rules.immutable(spec.get("driver", ""), old["driver"], "spec.driver")
    yield from rules.immutable(spec.get("nodeName"), old.get("nodeName"), "spec.nodeName")


def _nodes(spec: Row) -> Errors:
    """Exactly one way to say which nodes the devices are for."""
    if spec.get("nodeName") == "":
        yield invalid("spec.nodeName", "", "must be either unset or set to a non-empty string")
    elif "nodeName" in spec:
        yield from rules.node_name(spec["nodeName"], "spec.nodeName")
    if "nodeSelector" in spec:
        terms = spec["nodeSelector"].get("nodeSelectorTerms")
        yield from nodeselectors.node_selector(spec["nodeSelector"], "spec.nodeSelector")
        if len(terms or []) != 1:
            yield invalid("spec.nodeSelector.nodeSelectorTerms", terms, "must have exactly one node selector term")
    for name in ("allNodes", "perDeviceNodeSelection"):
        if spec.get(name) is False:
            yield invalid(f"spec.{name}", False, "must be either unset or set to true")
    chosen = [f"`{name}`" for name in _SELECTIONS if spec.get(name) not in (None, "", False)]
    if not chosen:
        yield required("spec", _ONE_SELECTION)
    elif len(chosen) > 1:
        yield invalid("spec", f"{{{', '.join(chosen)}}}", f"{_ONE_SELECTION}, but multiple fields are set")


def _devices(spec: Row, old: Row | None) -> Errors:
    devices = spec.get("devices", [])
    costly = any(device.get("taints") or device.get("consumesCounters") for device in devices)
    limit = _MAX_DEVICES_WITH_MORE if costly else _MAX_DEVICES
    before = {device["name"]: device for device in (old or {}).get("devices", [])}
    rule = partial(validate_device, before, bool(spec.get("perDeviceNodeSelection")))
    yield from rules.unique(devices, limit, rule, lambda device: device.get("name", ""), "spec.devices")


def _counter_sets(spec: Row) -> Errors:
    rows = spec.get("sharedCounters", [])
    rule = partial(validate_counters, "name")
    return rules.unique(rows, 8, rule, lambda row: row.get("name", ""), "spec.sharedCounters")
