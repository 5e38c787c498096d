"""Rules of Node (pkg/apis/core/validation/validation.go, ValidateNode, ValidateNodeUpdate)."""

import ipaddress
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
from conformance.cluster.embedded.apiserver.podrules.words import parsed
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_UNIQUE = "taints must be unique by key and effect pair"


def validate(write: Write) -> Sequence[FieldError]:
    """Metadata, taints, quantities, and what stays once it is set."""
    spec, status = write.new.get("spec") or {}, write.new.get("status") or {}
    errors = list(rules.metadata(write.new))
    errors += _taints(spec.get("taints", []))
    errors += _ranges(spec.get("podCIDRs", []), "spec.podCIDRs")
    for key in ("capacity", "allocatable"):
        errors += amounts(status.get(key, {}), f"status.{key}")
    if write.old is not None:
        errors += _addresses(status.get("addresses", []))
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


def _ranges(rows: Sequence[str], field: str) -> Errors:
    """Ranges of addresses for pods: one of each family."""
    found = [_range(text) for text in rows]
    for index, (text, network) in enumerate(zip(rows, found, strict=True)):
        if network is None:
            why = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
            yield invalid(f"{field}[{index}]", text, why)
        elif network.network_address != parsed(text.partition("/")[0]):
            yield invalid(f"{field}[{index}]", text, "must not have bits set beyond the prefix length")
    if len(rows) > 1:
        if None in found:
            why = f"invalid PodCIDRs. failed to check with dual stack with error:invalid CIDRs {rows}"
            yield FieldError("InternalError", field, "", why)
        if len(rows) > 2 or len({network.version for network in found if network is not None}) != 2:
            yield invalid(field, rows, "may specify no more than one CIDR for each IP family")


def _range(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    address, slash, bits = text.partition("/")
    host = parsed(address)
    if host is None or not slash or not bits.isdecimal() or int(bits) > host.max_prefixlen:
        return None
    return ipaddress.ip_network(f"{host}/{bits}", strict=False)


def _addresses(rows: Sequence[Any]) -> Errors:
    for index, row in enumerate(rows):
        if row in rows[:index]:
            yield FieldError("FieldValueDuplicate", f"status.addresses[{index}]", row)


def _kept(spec: Mapping[str, Any], old: Mapping[str, Any]) -> Errors:
    before = old.get("podCIDRs") or []
    if before and spec.get("podCIDRs") != before:
        yield forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid')
    if old.get("providerID") and spec.get("providerID", "") != old["providerID"]:
        how = "modified" if spec.get("providerID") else "cleared"
        yield invalid("spec.providerID", None, f"field cannot be {how} once set")
