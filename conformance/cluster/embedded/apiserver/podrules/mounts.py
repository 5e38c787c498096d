"""What containers mount: volumes as folders, and as block devices."""

from collections.abc import Mapping

from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    forbidden,
    invalid,
    not_supported,
    required,
)
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, descending

_PROPAGATIONS = ("Bidirectional", "HostToContainer", "None")
_RECURSIVE = ("Disabled", "Enabled", "IfPossible")


def mounts(container: Row, volumes: Mapping[str, Row], field: str) -> Errors:
    """volumeMounts. `volumes`: those that are right, by name."""
    devices = {row.get("name", ""): row.get("devicePath", "") for row in container.get("volumeDevices", [])}
    taken: set[str] = set()
    for index, row in enumerate(container.get("volumeMounts", [])):
        place, name, path = f"{field}[{index}]", row.get("name", ""), row.get("mountPath", "")
        if not name:
            yield required(f"{place}.name")
        if name not in volumes:
            yield FieldError("FieldValueNotFound", f"{place}.name", name)
        if not path:
            yield required(f"{place}.mountPath")
        if path in taken:
            yield invalid(f"{place}.mountPath", path, "must be unique")
        taken.add(path)
        if name in devices:
            yield invalid(f"{place}.name", name, "must not already exist in volumeDevices")
        if path in devices.values():
            yield invalid(f"{place}.mountPath", path, "must not already exist as a path in volumeDevices")
        yield from _parts(row, place, field)
        yield from _modes(row, container, field)


def _parts(row: Row, place: str, field: str) -> Errors:
    part, expression = row.get("subPath", ""), row.get("subPathExpr", "")
    yield from descending(part, f"{field}.subPath")
    if part and expression:
        yield invalid(f"{place}.subPathExpr", expression, "subPathExpr and subPath are mutually exclusive")
    yield from descending(expression, f"{field}.subPathExpr")


def _modes(row: Row, container: Row, field: str) -> Errors:
    if "mountPropagation" in row:
        how, place = row["mountPropagation"], f"{field}.mountPropagation"
        if how not in _PROPAGATIONS:
            yield not_supported(place, how, _PROPAGATIONS)
        if how == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
            yield forbidden(place, "Bidirectional mount propagation is available only to privileged containers")
    how, place = row.get("recursiveReadOnly", "Disabled"), f"{field}.recursiveReadOnly"
    if how not in _RECURSIVE:
        yield not_supported(place, how, _RECURSIVE)
    elif how != "Disabled":
        if not row.get("readOnly"):
            yield forbidden(place, "may only be specified when readOnly is true")
        if row.get("mountPropagation", "None") != "None":
            yield forbidden(place, "may only be specified when mountPropagation is None or not specified")


def devices(container: Row, volumes: Mapping[str, Row], field: str) -> Errors:
    """volumeDevices."""
    mounted = {row.get("name", ""): row.get("mountPath", "") for row in container.get("volumeMounts", [])}
    names: set[str] = set()
    paths: set[str] = set()
    for index, row in enumerate(container.get("volumeDevices", [])):
        place, name, path = f"{field}[{index}]", row.get("name", ""), row.get("devicePath", "")
        if not name:
            yield required(f"{place}.name")
        if name in names:
            yield invalid(f"{place}.name", name, "must be unique")
        if name not in volumes:
            yield FieldError("FieldValueNotFound", f"{place}.name", name)
        elif not {"persistentVolumeClaim", "ephemeral"} & set(volumes[name]):
            why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
            yield invalid(f"{place}.name", name, why)
        if not path:
            yield required(f"{place}.devicePath")
        if path in paths:
            yield invalid(f"{place}.devicePath", path, "must be unique")
        if ".." in path.split("/"):
            yield invalid(f"{place}.devicePath", path, "can not contain backsteps ('..')")
        else:
            paths.add(path)
        if name in mounted:
            yield invalid(f"{place}.name", name, "must not already exist in volumeMounts")
        if path in mounted.values():
            yield invalid(f"{place}.devicePath", path, "must not already exist as a path in volumeMounts")
        if name:
            names.add(name)
