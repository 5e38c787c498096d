"""Declared rules of ResourceClaim and ResourceClaimTemplate (pkg/apis/resource/v1/zz_generated.validations.go)."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver import declared_rules as rules
from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.declared_rules import Items
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, required
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.quantities import value_of

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_EFFECTS = ("NoExecute", "NoSchedule", "None")


def claim_spec(spec: Row, field: str) -> Errors:
    """The spec of a claim that is new."""
    devices, place = spec.get("devices", {}), f"{field}.devices"
    yield from _REQUESTS(devices.get("requests"), f"{place}.requests")
    yield from _CONSTRAINTS(devices.get("constraints"), f"{place}.constraints")
    yield from _CONFIGS(devices.get("config"), f"{place}.config")


def claim_status(new: Row, old: Row) -> Errors:
    """The status of a claim; what did not change is not looked at again."""
    field, allocation, before = "status.allocation", new.get("allocation"), old.get("allocation")
    if allocation is not None and allocation != before:
        if before is not None:
            if _by_value(allocation) != _by_value(before):
                yield invalid(field, None, "field cannot be modified once set")
        else:
            yield from _RESULTS(dig(allocation, "devices.results"), f"{field}.devices.results")
            yield from _ALLOCATED_CONFIGS(dig(allocation, "devices.config"), f"{field}.devices.config")
    if new.get("reservedFor") != old.get("reservedFor"):
        yield from _CONSUMERS(new.get("reservedFor"), "status.reservedFor")
    if new.get("devices") != old.get("devices"):
        yield from _devices(new.get("devices", []), old.get("devices", []))


def _by_value(allocation: Row) -> list[Any]:
    """What two allocations have in common that are the same but for how amounts are written."""
    rows = []
    for row in dig(allocation, "devices.results") or ():
        amounts = row.get("consumedCapacity", {}).items()
        rows.append({**row, "consumedCapacity": {name: value_of(amount) for name, amount in amounts}})
    devices = {**allocation.get("devices", {}), "results": None}
    return [{**allocation, "devices": devices}, rows]


def _name(row: Row) -> str:
    return str(row.get("name", ""))


def _request(row: Row, field: str) -> Errors:
    if "exactly" in row:
        yield from _device_request(row["exactly"], f"{field}.exactly")
    yield from _ALTERNATIVES(row.get("firstAvailable"), f"{field}.firstAvailable")


def _alternative(row: Row, field: str) -> Errors:
    name, place = row.get("deviceClassName", ""), f"{field}.deviceClassName"
    yield from formats.each(formats.dns_subdomain(name), place, name) if name else [required(place)]
    yield from _device_request(row, field)


def _device_request(row: Row, field: str) -> Errors:
    yield from _SELECTORS(row.get("selectors"), f"{field}.selectors")
    yield from rules.one_of(row.get("allocationMode"), ("All", "ExactCount"), f"{field}.allocationMode")
    yield from _TOLERATIONS(row.get("tolerations"), f"{field}.tolerations")


def _toleration(row: Row, field: str) -> Errors:
    if row.get("key"):
        yield from formats.each(formats.label_key(row["key"]), f"{field}.key", row["key"])
    yield from rules.one_of(row.get("operator"), ("Equal", "Exists"), f"{field}.operator", needed=True)
    yield from rules.one_of(row.get("effect"), _EFFECTS, f"{field}.effect")


def _constraint(row: Row, field: str) -> Errors:
    yield from _REFERENCES(row.get("requests"), f"{field}.requests")
    for key in ("matchAttribute", "distinctAttribute"):
        if key in row:
            yield from rules.qualified(row[key], f"{field}.{key}")


def _config(row: Row, field: str) -> Errors:
    yield from _REFERENCES(row.get("requests"), f"{field}.requests")
    if "opaque" in row:
        yield from rules.driver(row["opaque"].get("driver", ""), f"{field}.opaque.driver")


def _result(row: Row, field: str) -> Errors:
    yield from rules.driver(row.get("driver", ""), f"{field}.driver")
    yield from rules.pool(row.get("pool", ""), f"{field}.pool")
    yield from _TOLERATIONS(row.get("tolerations"), f"{field}.tolerations")
    for key in ("bindingConditions", "bindingFailureConditions"):
        yield from _CONDITIONS(row.get(key), f"{field}.{key}")
    yield from rules.uuid(row.get("shareID"), f"{field}.shareID")


def _allocated_config(row: Row, field: str) -> Errors:
    yield from rules.one_of(row.get("source"), ("FromClaim", "FromClass"), f"{field}.source", needed=True)
    yield from _config(row, field)


def _devices(rows: list[Any], old: list[Any]) -> Errors:
    yield from Items(key=device_key)(rows, "status.devices")
    before = {device_key(row): row for row in reversed(old)}
    for index, row in enumerate(rows):
        if before.get(device_key(row)) != row:
            yield from _device(row, f"status.devices[{index}]")


def device_key(row: Row) -> tuple[Any, ...]:
    """What makes two rows be of one device, or of one share of it."""
    return (*(row.get(key, "") for key in ("driver", "pool", "device")), row.get("shareID"))


def _device(row: Row, field: str) -> Errors:
    yield from rules.uuid(row.get("shareID"), f"{field}.shareID")
    network, place = row.get("networkData") or {}, f"{field}.networkData"
    yield from rules.bytes_at_most(256, network.get("interfaceName"), f"{place}.interfaceName")
    yield from _ADDRESSES(network.get("ips"), f"{place}.ips")
    yield from rules.bytes_at_most(128, network.get("hardwareAddress"), f"{place}.hardwareAddress")


_SELECTORS = Items(limit=32)
_TOLERATIONS = Items(_toleration)
_ALTERNATIVES = Items(_alternative, 8, _name)
_REQUESTS = Items(_request, 32, _name)
_REFERENCES = Items(limit=32, key=str)
_CONSTRAINTS = Items(_constraint, 32)
_CONFIGS = Items(_config, 32)
_CONDITIONS = Items(limit=4)
_RESULTS = Items(_result, 32)
_ALLOCATED_CONFIGS = Items(_allocated_config, 64)
_CONSUMERS = Items(limit=256, key=lambda row: row.get("uid", ""))
_ADDRESSES = Items(limit=16, key=str)
