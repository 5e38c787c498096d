"""Rules of Pod that have to do with claims (pkg/apis/core/validation/validation.go, ValidatePodSpec)."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    required,
)
from conformance.cluster.embedded.apiserver.objects import clone
from conformance.cluster.embedded.apiserver.validation_node import resource_list
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_RESOURCES = ("cpu", "memory", "ephemeral-storage")
_GROUPS = ("initContainers", "containers")
_NO_CLAIMS = "must be one of the names in pod.spec.resourceClaims which is empty"
_CHANGEABLE = ("activeDeadlineSeconds", "schedulingGates", "tolerations")
_MAY_CHANGE = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def validate(write: Write) -> Sequence[FieldError]:
    """Containers, claims and who uses them; all but a few fields stay as they are."""
    if write.subresource:
        return list(_status(write.new))
    spec = write.new["spec"]
    errors = [*rules.metadata(write.new), *_spec(spec)]
    return errors if write.old is None else [*errors, *_kept(spec, write.old["spec"])]


def _spec(spec: Row) -> Errors:
    names = yield from _claims(spec.get("resourceClaims", []))
    if not spec.get("containers"):
        yield required("spec.containers")
    seen: set[str] = set()
    for group in _GROUPS:
        for index, container in enumerate(spec.get(group, [])):
            field, name = f"spec.{group}[{index}]", container.get("name", "")
            yield from _container(container, field, names)
            if name in seen:
                yield duplicate(f"{field}.name", name)
            elif name:
                seen.add(name)
    yield from rules.one_of(spec["restartPolicy"], ("Always", "OnFailure", "Never"), "spec.restartPolicy")


def _claims(rows: Sequence[Row]) -> Generator[FieldError, None, set[str]]:
    """The errors; returns the names."""
    names: set[str] = set()
    for index, row in enumerate(rows):
        field, name = f"spec.resourceClaims[{index}]", row.get("name", "")
        if not name:
            yield required(f"{field}.name")
        elif name in names:
            yield duplicate(f"{field}.name", name)
        else:
            yield from rules.device_name(name, f"{field}.name")
            names.add(name)
        chosen = [key for key in ("resourceClaimName", "resourceClaimTemplateName") if key in row]
        if len(chosen) == 2:
            text = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
            yield invalid(field, dict(row), text)
        if not chosen:
            text = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
            yield invalid(field, dict(row), text)
        for key in chosen:
            yield from rules.node_name(row[key], f"{field}.{key}")
    return names


def _container(row: Row, field: str, claims: set[str]) -> Errors:
    if not row.get("name"):
        yield required(f"{field}.name")
    else:
        yield from rules.device_name(row["name"], f"{field}.name")
    if not row.get("image"):
        yield required(f"{field}.image")
    resources = row.get("resources", {})
    for key in ("limits", "requests"):
        place = f"{field}.resources.{key}"
        yield from _resource_names(resources.get(key, {}), place)
        yield from resource_list(resources.get(key, {}), place)
    yield from _used(resources.get("claims", []), claims, f"{field}.resources.claims")


def _resource_names(amounts: Row, field: str) -> Errors:
    for name in amounts:
        place = f"{field}[{name}]"
        yield from formats.each(formats.label_key(name), place, name)
        if "/" not in name and name not in _RESOURCES and not name.startswith("hugepages-"):
            yield invalid(place, name, "must be a standard resource type or fully qualified")
            yield invalid(place, name, "must be a standard resource for containers")


def _used(rows: Sequence[Row], claims: set[str], field: str) -> Errors:
    """Which claims, or requests in them, a container uses: none twice."""
    seen: set[str] = set()
    for index, row in enumerate(rows):
        place, name, request = f"{field}[{index}]", row.get("name", ""), row.get("request", "")
        if not name:
            yield required(place)
            continue
        key = f"{name}/{request}" if request else name
        if name not in seen and request:
            yield from rules.device_name(request, f"{place}.request")
        if name in seen or key in seen:
            yield duplicate(place, name if name in seen else key)
        elif not request and any(each.partition("/")[0] == name for each in seen):
            yield duplicate(place, name)
        seen.add(key)
        if name not in claims:
            known = ", ".join(sorted(claims))
            why = f"must be one of the names in pod.spec.resourceClaims: {known}" if claims else _NO_CLAIMS
            yield FieldError("FieldValueNotFound", place, name, why)


def _kept(spec: Row, old: Row) -> Errors:
    for group in _GROUPS:
        if len(spec.get(group, [])) != len(old.get(group, [])):
            yield forbidden(f"spec.{group}", "pod updates may not add or remove containers")
            return
    tolerations = spec.get("tolerations", [])
    if any(row not in tolerations for row in old.get("tolerations", [])):
        yield forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
    if rules.bare(_fixed(spec, old)) != rules.bare(_fixed(old, old)):
        yield forbidden("spec", _MAY_CHANGE)


def _fixed(spec: Row, old: Row) -> Row:
    """The part of a spec that may not change."""
    rest: dict[str, Any] = {key: clone(value) for key, value in spec.items() if key not in _CHANGEABLE}
    for group in _GROUPS:
        for container in rest.get(group, []):
            container.pop("image", None)
    if old.get("terminationGracePeriodSeconds", 0) < 0 and rest.get("terminationGracePeriodSeconds") == 1:
        rest["terminationGracePeriodSeconds"] = old["terminationGracePeriodSeconds"]
    return rest


def _status(pod: Row) -> Errors:
    known, seen = {row.get("name", "") for row in pod["spec"].get("resourceClaims", [])}, set()
    for index, row in enumerate(pod.get("status", {}).get("resourceClaimStatuses", [])):
        field, name = f"status.resourceClaimStatuses[{index}]", row.get("name", "")
        if name not in known:
            why = "must match the name of an entry in `spec.resourceClaims`"
            yield invalid(f"{field}.name", name, why)
        if name in seen:
            yield duplicate(f"{field}.name", name)
        seen.add(name)
        if "resourceClaimName" in row:
            faults = formats.dns_subdomain(row["resourceClaimName"])
            yield from formats.each(faults, f"{field}.resourceClaimName", row["resourceClaimName"])
