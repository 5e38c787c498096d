"""Rules of ResourceClaim and ResourceClaimTemplate (pkg/apis/resource/validation/validation.go)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from conformance.cluster.embedded.apiserver import claim_rights, claim_rules, formats, rules, writing
from conformance.cluster.embedded.apiserver import validation_claim_declared as declared_claim
from conformance.cluster.embedded.apiserver import validation_claim_status as claim_status
from conformance.cluster.embedded.apiserver.field_errors import FieldError, declared, forbidden, invalid, required
from conformance.cluster.embedded.apiserver.objects import dig
from conformance.cluster.embedded.apiserver.request_names import RequestNames
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

ADMIN_LABEL = "resource.kubernetes.io/admin-access"
_OTHER_METADATA = (
    *("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields"),
)
_GO_NAMES = {"uid": "uID"}
_ONE_KIND = "exactly one of `exactly` or `firstAvailable` is required"


def validate(write: Write) -> Sequence[FieldError]:
    """ValidateResourceClaim, …Update, …StatusUpdate, who may ask for admin access, and the declared rules."""
    new, old = write.new, write.old
    if write.subresource:
        granted = _admin(dig(old or {}, "status.allocation.devices.results"), "")
        asked = _admin(dig(new, "status.allocation.devices.results"), "status.allocation.devices.results")
        denied = [] if granted else _admin_denied(asked, write)
        before, after = stored(new["kind"], old or {}), stored(new["kind"], new)
        states = after.get("status", {}), before.get("status", {})
        return [
            *denied,
            *claim_rights.refused(*states, new["metadata"].get("namespace", "")),
            *claim_status.validate(new, old or {}),
            *declared(declared_claim.claim_status(*states)),
        ]
    if old is not None:
        return [*rules.metadata(new), *declared(_immutable(new, old))]
    spec = new["spec"]
    declarations = declared_claim.claim_spec(spec, "spec")
    return [
        *_admin_denied(_requested_admin(spec), write),
        *rules.metadata(new),
        *_spec(spec, "spec"),
        *declared(declarations),
    ]


def validate_template(write: Write) -> Sequence[FieldError]:
    """ValidateResourceClaimTemplate, …Update, who may ask for admin access, and the declared rules."""
    new, old = write.new, write.old
    spec = new["spec"]["spec"]
    errors = [] if old else _admin_denied(_requested_admin(spec), write)
    errors += [
        *rules.metadata(new),
        *_template_metadata(new["spec"].get("metadata") or {}, "spec.metadata"),
        *_spec(spec, "spec.spec"),
    ]
    after, before = (stored(new["kind"], obj)["spec"] if obj else None for obj in (new, old))
    if old and after != before:
        errors.append(invalid("spec", after, rules.IMMUTABLE))
    return errors if after == before else [*errors, *declared(declared_claim.claim_spec(spec, "spec.spec"))]


def _immutable(new: Row, old: Row) -> Errors:
    if stored(new["kind"], new)["spec"] != stored(new["kind"], old)["spec"]:
        yield invalid("spec", None, rules.IMMUTABLE)


def stored(kind: str, obj: Row) -> Row:
    """An object in the form in which objects are compared: without what is empty and optional."""
    return writing.write(f"resource.k8s.io/v1.{kind}", obj)


def _template_metadata(meta: Row, field: str) -> Errors:
    """What a template gives to claims: labels and annotations only."""
    for key in meta.get("annotations") or {}:
        yield from formats.each(formats.label_key(key.lower()), f"{field}.annotations", key)
    for key, value in (meta.get("labels") or {}).items():
        yield from formats.each(formats.label_key(key), f"{field}.labels", key)
        yield from formats.each(formats.label_value(value), f"{field}.labels", value)
    for key in _OTHER_METADATA:
        # Go's names: an empty list is one, an empty text is none.
        if meta.get(key) not in (None, "", 0):
            yield forbidden(f"{field}.{_GO_NAMES.get(key, key)}", "cannot be set")


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
    yield from claim_rules.limited(devices.get("requests", []), 32, _request, f"{place}.requests")
    rule = partial(_constraint, names)
    yield from claim_rules.limited(devices.get("constraints", []), 32, rule, f"{place}.constraints")
    yield from claim_rules.limited(devices.get("config", []), 32, partial(_config, names), f"{place}.config")


def _request(row: Row, field: str) -> Errors:
    yield from rules.device_name(row.get("name", ""), f"{field}.name")
    exactly, alternatives = row.get("exactly"), row.get("firstAvailable")
    if exactly is not None and alternatives:
        yield invalid(field, None, f"{_ONE_KIND}, but multiple fields are set")
    elif alternatives:
        yield from claim_rules.limited(alternatives, 8, _alternative, f"{field}.firstAvailable")
    elif exactly is not None:
        yield from _exactly(exactly, f"{field}.exactly")
    else:
        yield required(field, _ONE_KIND)


def _alternative(row: Row, field: str) -> Errors:
    yield from rules.device_name(row.get("name", ""), f"{field}.name")
    yield from _device_request(row, field)


def _exactly(row: Row, field: str) -> Errors:
    class_name, place = row.get("deviceClassName", ""), f"{field}.deviceClassName"
    yield from rules.node_name(class_name, place) if class_name else [required(place)]
    yield from _device_request(row, field)


def _device_request(row: Row, field: str) -> Errors:
    if len(row.get("selectors", [])) <= 32:
        yield from rules.selectors(row.get("selectors", []), f"{field}.selectors")
    mode, count = row.get("allocationMode", ""), row.get("count", 0)
    if mode == "All" and count:
        yield invalid(f"{field}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount" and count <= 0:
        yield invalid(f"{field}.count", count, "must be greater than zero")
    yield from rules.items(row.get("tolerations", []), None, claim_rules.toleration, f"{field}.tolerations")


def _constraint(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.check(row.get("requests", []), f"{field}.requests")
    if "matchAttribute" not in row and "distinctAttribute" not in row:
        text = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
        yield required(field, text)


def _config(names: RequestNames, row: Row, field: str) -> Errors:
    yield from names.check(row.get("requests", []), f"{field}.requests")
    yield from claim_rules.opaque(row, field)
