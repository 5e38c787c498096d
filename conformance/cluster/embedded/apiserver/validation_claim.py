"""Rules of ResourceClaim and ResourceClaimTemplate (pkg/apis/resource/validation/validation.go)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver import validation_claim_status as claim_status
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, invalid, not_supported, required
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.request_names import RequestNames
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

ADMIN_LABEL = "resource.kubernetes.io/admin-access"
_ONE_KIND = "exactly one of `exactly` or `firstAvailable` is required"


def validate(write: Write) -> Sequence[FieldError]:
    """ValidateResourceClaim, …Update, …StatusUpdate, and who may ask for admin access."""
    new, old = write.new, write.old
    if write.subresource:
        granted = _admin(dig(old or {}, "status.allocation.devices.results"), "")
        asked = _admin(dig(new, "status.allocation.devices.results"), "status.allocation.devices.results")
        denied = [] if granted else _admin_denied(asked, write)
        return [*denied, *claim_status.validate(new, old or {})]
    if old is not None:
        return [*rules.metadata(new), *rules.immutable(new.get("spec"), old.get("spec"), "spec")]
    return [*_admin_denied(_requested_admin(new["spec"]), write), *rules.metadata(new), *_spec(new["spec"], "spec")]


def validate_template(write: Write) -> Sequence[FieldError]:
    """ValidateResourceClaimTemplate, …Update."""
    new = write.new
    if write.old is not None:
        return [*rules.metadata(new), *rules.immutable(new["spec"], write.old["spec"], "spec")]
    spec = new["spec"]["spec"]
    return [*_admin_denied(_requested_admin(spec), write), *rules.metadata(new), *_spec(spec, "spec.spec")]


def _requested_admin(spec: Row) -> str:
    for index, request in enumerate(spec["devices"].get("requests", [])):
        if request.get("exactly", {}).get("adminAccess"):
            return f"spec.devices.requests[{index}].adminAccess"
    return ""


def _admin(results: Sequence[Row] | None, field: str) -> str:
    for index, result in enumerate(results or ()):
        if result.get("adminAccess"):
            return f"{field}[{index}].adminAccess"
    return ""


def _admin_denied(field: str, write: Write) -> list[FieldError]:
    if not field or write.namespace_labels.get(ADMIN_LABEL) == "true":
        return []
    text = f"admin access to devices requires the `{ADMIN_LABEL}: true` label on the containing namespace"
    return [forbidden(field, text)]


def _spec(spec: Row, field: str) -> Errors:
    devices, place = spec["devices"], f"{field}.devices"
    names = RequestNames(devices)
    yield from rules.unique(devices.get("requests", []), 32, _request, _name, f"{place}.requests")
    rule = partial(_constraint, names)
    yield from rules.items(devices.get("constraints", []), 32, rule, f"{place}.constraints")
    yield from rules.items(devices.get("config", []), 32, partial(_config, names), f"{place}.config")


def _name(row: Row) -> str:
    return str(row.get("name", ""))


def _request(row: Row, field: str) -> Errors:
    yield from rules.device_name(row.get("name", ""), f"{field}.name")
    exactly, alternatives = row.get("exactly"), row.get("firstAvailable")
    if exactly is not None and alternatives:
        yield invalid(field, None, f"{_ONE_KIND}, but multiple fields are set")
    elif alternatives:
        yield from rules.unique(alternatives, 8, _alternative, _name, f"{field}.firstAvailable")
    elif exactly is not None:
        yield from _device_request(exactly, f"{field}.exactly")
    else:
        yield required(field, _ONE_KIND)


def _alternative(row: Row, field: str) -> Errors:
    yield from rules.device_name(row.get("name", ""), f"{field}.name")
    yield from _device_request(row, field)


def _device_request(row: Row, field: str) -> Errors:
    class_name = row.get("deviceClassName", "")
    place = f"{field}.deviceClassName"
    yield from rules.node_name(class_name, place) if class_name else [required(place)]
    yield from rules.selectors(row.get("selectors", []), f"{field}.selectors")
    yield from _mode(row, field)
    yield from rules.items(row.get("tolerations", []), 16, rules.toleration, f"{field}.tolerations")
    for name in row.get("capacity", {}).get("requests", {}):
        yield from formats.qualified_name(name, f"{field}.capacity.requests")


def _mode(row: Row, field: str) -> Errors:
    mode, count = row["allocationMode"], row.get("count", 0)
    if mode == "All" and count:
        yield invalid(f"{field}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount" and count <= 0:
        yield invalid(f"{field}.count", count, "must be greater than zero")
    elif mode not in ("All", "ExactCount"):
        yield not_supported(f"{field}.allocationMode", mode, ("All", "ExactCount"))


def _constraint(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.check(row.get("requests", []), f"{field}.requests")
    if "matchAttribute" in row:
        yield from formats.fully_qualified_name(row["matchAttribute"], f"{field}.matchAttribute")
    elif "distinctAttribute" in row:
        yield from formats.fully_qualified_name(row["distinctAttribute"], f"{field}.distinctAttribute")
    else:
        text = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
        yield required(field, text)


def _config(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.check(row.get("requests", []), f"{field}.requests")
    yield from rules.configuration(row, field)
