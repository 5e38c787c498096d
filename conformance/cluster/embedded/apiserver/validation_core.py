"""Rules of core objects, as far as wrong manifests of checks and drivers would break them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, duplicate, invalid, not_supported, required
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]

_LABEL_NAMED = ("Namespace",)


def validate(write: Write) -> Sequence[FieldError]:
    """Metadata only."""
    names = formats.dns_label if write.new["kind"] in _LABEL_NAMED else formats.dns_subdomain
    return list(rules.metadata(write.new, names))


def validate_pod(write: Write) -> Sequence[FieldError]:
    """Containers, claims and who uses them (pkg/apis/core/validation/validation.go, ValidatePodSpec)."""
    if not write.creates:
        return [*rules.metadata(write.new), *_scheduling_kept(write)]
    return [*rules.metadata(write.new), *_pod_spec(write.new["spec"])]


def _scheduling_kept(write: Write) -> Errors:
    old, new = (write.old or {}).get("spec", {}), write.new.get("spec", {})
    if old.get("nodeName"):
        yield from rules.immutable(new.get("nodeName"), old["nodeName"], "spec.nodeName")
    yield from rules.immutable(new.get("resourceClaims"), old.get("resourceClaims"), "spec.resourceClaims")


def _pod_spec(spec: Mapping[str, Any]) -> Errors:
    claims = spec.get("resourceClaims", [])
    yield from rules.unique(claims, None, _pod_claim, lambda row: row.get("name"), "spec.resourceClaims")
    if not spec.get("containers"):
        yield required("spec.containers")
    names = {row.get("name") for row in claims}
    for group in ("initContainers", "containers"):
        seen: set[str] = set()
        for index, container in enumerate(spec.get(group, [])):
            field = f"spec.{group}[{index}]"
            if container.get("name") in seen:
                yield duplicate(f"{field}.name", container["name"])
            seen.add(container.get("name", ""))
            yield from _container(container, field, names)
    yield from rules.one_of(spec["restartPolicy"], ("Always", "Never", "OnFailure"), "spec.restartPolicy")


def _pod_claim(row: Mapping[str, Any], field: str) -> Errors:
    if not row.get("name"):
        yield required(f"{field}.name")
    else:
        yield from rules.device_name(row["name"], f"{field}.name")
    named, template = row.get("resourceClaimName"), row.get("resourceClaimTemplateName")
    if named and template:
        text = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
        yield invalid(field, dict(row), text)
    if not named and not template:
        text = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
        yield invalid(field, dict(row), text)


def _container(row: Mapping[str, Any], field: str, claims: set[Any]) -> Errors:
    if not row.get("name"):
        yield required(f"{field}.name")
    else:
        yield from rules.device_name(row["name"], f"{field}.name")
    if not row.get("image"):
        yield required(f"{field}.image")
    seen: set[tuple[str, str]] = set()
    for index, used in enumerate(row.get("resources", {}).get("claims", [])):
        place = f"{field}.resources.claims[{index}]"
        name, request = used.get("name", ""), used.get("request", "")
        if not name:
            yield required(f"{place}.name")
        elif name not in claims:
            yield not_supported(f"{place}.name", name, sorted(map(str, claims)))
        if request:
            yield from rules.device_name(request, f"{place}.request")
        if (name, request) in seen or (name, "") in seen:
            yield duplicate(place, f"{name}/{request}" if request else name)
        seen.add((name, request))
