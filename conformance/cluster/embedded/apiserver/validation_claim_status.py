"""Rules of a ResourceClaim's status: reservations, the allocation, what drivers report."""

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, invalid, required, too_long
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.request_names import RequestNames

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_UUID_TEXT = (
    "uid must be in RFC 4122 normalized form, "
    "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters"
)


def validate(new: Row, old: Row) -> Sequence[FieldError]:
    """ValidateResourceClaimStatusUpdate."""
    status, before = new.get("status", {}), old.get("status", {})
    names = RequestNames(new["spec"]["devices"])
    errors = list(_reserved(status, before, being_deleted="deletionTimestamp" in new["metadata"]))
    allocated = {device_key(row) for row in dig(status, "allocation.devices.results") or []}
    rule = partial(_device_status, allocated)
    errors += rules.unique(status.get("devices", []), None, rule, device_key, "status.devices")
    if "allocation" in status:
        field = "status.allocation"
        if "allocation" in before:
            errors += rules.immutable(status["allocation"], before["allocation"], field)
        else:
            errors += _allocation(names, status["allocation"], field)
    return errors


def device_key(row: Row) -> str:
    """driver/pool/device, with the share where there is one."""
    parts = [str(row.get(key, "")) for key in ("driver", "pool", "device")]
    return "/".join([*parts, *([row["shareID"]] if row.get("shareID") else [])])


def _reserved(status: Row, before: Row, *, being_deleted: bool) -> Errors:
    field, rows = "status.reservedFor", status.get("reservedFor", [])
    yield from rules.unique(rows, 256, _consumer, lambda row: row.get("uid", ""), field)
    if rows and "allocation" not in status:
        yield forbidden(field, "may not be specified when `allocated` is not set")
    elif being_deleted and any(row not in before.get("reservedFor", []) for row in rows):
        text = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
        yield forbidden(field, text)


def _consumer(row: Row, field: str) -> Errors:
    return (required(f"{field}.{key}") for key in ("resource", "name", "uid") if not row.get(key))


def _allocation(names: RequestNames, row: Row, field: str) -> Errors:
    devices = row.get("devices", {})
    yield from rules.items(devices.get("results", []), 32, partial(_result, names), f"{field}.devices.results")
    yield from rules.items(devices.get("config", []), 64, partial(_config, names), f"{field}.devices.config")
    if "nodeSelector" in row:
        yield from rules.node_selector(row["nodeSelector"], f"{field}.nodeSelector")


def _result(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.reference(row.get("request", ""), f"{field}.request")
    yield from _device(row, field)
    yield from rules.binding_conditions(row, field)
    yield from rules.items(row.get("tolerations", []), 16, rules.toleration, f"{field}.tolerations")


def _device(row: Row, field: str) -> Errors:
    yield from formats.driver_name(row.get("driver", ""), f"{field}.driver")
    yield from formats.pool_name(row.get("pool", ""), f"{field}.pool")
    yield from rules.device_name(row.get("device", ""), f"{field}.device")
    if "shareID" in row and not formats.is_uuid(row["shareID"]):
        yield invalid(f"{field}.shareID", row["shareID"], _UUID_TEXT)


def _config(names: RequestNames, row: Row, field: str) -> Errors:
    yield from rules.one_of(row.get("source", ""), ("FromClaim", "FromClass"), f"{field}.source")
    yield from names.check(row.get("requests", []), f"{field}.requests")
    yield from rules.configuration(row, field)


def _device_status(allocated: set[str], row: Row, field: str) -> Errors:
    yield from _device(row, field)
    if device_key(row) not in allocated:
        yield invalid(field, device_key(row), "must be an allocated device in the claim")
    yield from rules.conditions(row.get("conditions", []), 8, f"{field}.conditions")
    if "data" in row:
        yield from rules.raw_object(row["data"], f"{field}.data")
    yield from _network(row.get("networkData", {}), f"{field}.networkData")


def _network(row: Row, field: str) -> Errors:
    for key, limit in (("interfaceName", 256), ("hardwareAddress", 128)):
        if len(row.get(key, "").encode()) > limit:
            yield too_long(f"{field}.{key}", limit)
    yield from rules.unique(row.get("ips", []), 16, _address, str, f"{field}.ips")


def _address(value: str, field: str) -> Errors:
    try:
        if "/" not in value:
            raise ValueError
        ipaddress.ip_interface(value)
    except ValueError:
        yield invalid(field, value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")
