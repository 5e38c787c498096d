"""Rules of a ResourceClaim's status: reservations, the allocation, what drivers report."""

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from conformance.cluster.embedded.apiserver import claim_rules, formats, nodeselectors, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, invalid, required
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.request_names import RequestNames

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_NAMES = {"Driver": "driver", "Pool": "pool", "Device": "device", "ShareID": "shareID"}


def validate(new: Row, old: Row) -> Sequence[FieldError]:
    """ValidateResourceClaimStatusUpdate, without the rules that are declared."""
    status, before = new.get("status", {}), old.get("status", {})
    names = RequestNames(new["spec"]["devices"])
    errors = list(claim_rules.limited(status.get("reservedFor", []), 256, _consumer, "status.reservedFor"))
    allocated = {device_key(row) for row in dig(status, "allocation.devices.results") or []}
    errors += rules.items(status.get("devices", []), None, partial(_device_status, allocated), "status.devices")
    errors += _reserved(status, before, being_deleted="deletionTimestamp" in new["metadata"])
    if "allocation" in status and "allocation" not in before:
        errors += _allocation(names, status["allocation"], "status.allocation")
    return errors


def device_key(row: Row) -> str:
    """driver/pool/device, with the share where there is one."""
    parts = [str(row.get(key, "")) for key in ("driver", "pool", "device")]
    return "/".join([*parts, *([row["shareID"]] if row.get("shareID") else [])])


def _reserved(status: Row, before: Row, *, being_deleted: bool) -> Errors:
    field, rows = "status.reservedFor", status.get("reservedFor", [])
    if rows and "allocation" not in status:
        yield forbidden(field, "may not be specified when `allocated` is not set")
    elif being_deleted and any(row not in before.get("reservedFor", []) for row in rows):
        text = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
        yield forbidden(field, text)


def _consumer(row: Row, field: str) -> Errors:
    return (required(f"{field}.{key}") for key in ("resource", "name", "uid") if not row.get(key))


def _allocation(names: RequestNames, row: Row, field: str) -> Errors:
    devices = row.get("devices", {})
    yield from claim_rules.limited(devices.get("results", []), 32, partial(_result, names), f"{field}.devices.results")
    yield from claim_rules.limited(devices.get("config", []), 64, partial(_config, names), f"{field}.devices.config")
    if "nodeSelector" in row:
        yield from nodeselectors.node_selector(row["nodeSelector"], f"{field}.nodeSelector")


def _result(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.reference(row.get("request", ""), f"{field}.request")
    yield from rules.device_name(row.get("device", ""), f"{field}.device")
    yield from (error for error in rules.binding_conditions(row, field) if error.type != "FieldValueTooMany")
    yield from rules.items(row.get("tolerations", []), None, claim_rules.toleration, f"{field}.tolerations")


def _config(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.check(row.get("requests", []), f"{field}.requests")
    yield from claim_rules.opaque(row, field)


def _device_status(allocated: set[str], row: Row, field: str) -> Errors:
    yield from formats.driver_name(row.get("driver", ""), f"{field}.driver")
    yield from formats.pool_name(row.get("pool", ""), f"{field}.pool")
    yield from rules.device_name(row.get("device", ""), f"{field}.device")
    if device_key(row) not in allocated:
        yield invalid(field, _shown(row), "must be an allocated device in the claim")
    yield from rules.conditions(row.get("conditions", []), 8, f"{field}.conditions")
    if row.get("data") is not None:
        yield from rules.raw_object(row["data"], f"{field}.data")
    network = row.get("networkData") or {}
    yield from claim_rules.limited(network.get("ips", []), 16, _address, f"{field}.networkData.ips")


def _shown(row: Row) -> dict[str, str]:
    return {name: row.get(key, "") for name, key in _NAMES.items()}


def _address(value: str, field: str) -> Errors:
    host, slash, bits = value.partition("/")
    try:
        if not slash or not bits.isascii() or not bits.isdecimal() or "%" in host:
            raise ValueError
        address = ipaddress.ip_address(_decimal(host))
        length = int(bits)
        if length > address.max_prefixlen:
            raise ValueError
    except ValueError:
        yield invalid(field, value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")
        return
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address, length = address.ipv4_mapped, max(length - 96, 0)
    if value != f"{address}/{length}":
        yield invalid(field, value, f'must be in canonical form ("{address}/{length}")')


def _decimal(host: str) -> str:
    """An IPv4 address without leading zeros, which are read as they are; others stay."""
    parts = host.split(".")
    return ".".join(str(int(part)) for part in parts) if all(part.isdecimal() for part in parts) else host
