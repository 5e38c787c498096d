"""Volumes of pods, and the sources that most drivers and workloads use."""

from collections.abc import Callable, Generator, Iterator
from typing import Any

from conformance.cluster.embedded.apiserver import rules
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
)
from conformance.cluster.embedded.apiserver.podrules.references import FILE_FIELDS, field_reference, resource_reference
from conformance.cluster.embedded.apiserver.podrules.words import Errors, Row, local_path, no_backsteps
from conformance.cluster.embedded.apiserver.quantities import value_of

_HOST_PATHS = (*("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"),)
_MODE_TEXT = "must be a number between 0 and 0777 (octal), both inclusive; a decimal number must be between 0 and 511"
_TOKEN_SECONDS = (10 * 60, 1 << 32)
_TWICE = "conflicting duplicate paths"


def volumes(rows: list[Any]) -> Generator[FieldError, None, dict[str, Row]]:
    """The errors; returns the volumes that are right, by name."""
    found: dict[str, Row] = {}
    for index, row in enumerate(rows):
        field, name = f"spec.volumes[{index}]", row.get("name", "")
        errors = list(_source(row, field))
        if not name:
            errors.append(required(f"{field}.name"))
        else:
            errors += rules.device_name(name, f"{field}.name")
        if name in found:
            errors.append(duplicate(f"{field}.name", name))
        yield from errors
        if not errors:
            found[name] = row
    return found


def _source(row: Row, field: str) -> Errors:
    kinds = [key for key in _ORDER if key in row] + [key for key in row if key != "name" and key not in _ORDER]
    for kind in kinds[1:]:
        yield forbidden(f"{field}.{_MISSPELLED.get(kind, kind)}", "may not specify more than 1 volume type")
    if not kinds:
        yield required(field, "must specify a volume type")
    elif kinds[0] in _SOURCES:
        yield from _SOURCES[kinds[0]](row[kinds[0]], f"{field}.{kinds[0]}")


def _empty_dir(row: Row, field: str) -> Errors:
    if "sizeLimit" in row and value_of(str(row["sizeLimit"])) < 0:
        yield forbidden(f"{field}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def _host_path(row: Row, field: str) -> Errors:
    if not row.get("path"):
        yield required(f"{field}.path")
        return
    yield from no_backsteps(row["path"], f"{field}.path")
    if row.get("type", "") not in _HOST_PATHS:
        yield not_supported(f"{field}.type", row["type"], _HOST_PATHS)


def _keyed(name: str) -> Callable[[Row, str], Errors]:
    """ConfigMaps and Secrets, named by a field of that name."""

    def check(row: Row, field: str) -> Errors:
        if not row.get(name):
            yield required(f"{field}.{name}")
        yield from _mode(row, "defaultMode", field)
        for index, item in enumerate(row.get("items", [])):
            yield from _key_to_path(item, f"{field}.items[{index}]")

    return check


def _mode(row: Row, key: str, field: str) -> Errors:
    if not 0 <= row.get(key, 0) <= 0o777:
        yield invalid(f"{field}.{key}", row[key], _MODE_TEXT)


def _key_to_path(row: Row, field: str) -> Errors:
    for key in ("key", "path"):
        if not row.get(key):
            yield required(f"{field}.{key}")
    yield from local_path(row.get("path", ""), f"{field}.path")
    yield from _mode(row, "mode", field)


def _downward(row: Row, field: str) -> Errors:
    yield from _mode(row, "defaultMode", field)
    for item in row.get("items", []):
        yield from _downward_file(item, field)


def _downward_file(row: Row, field: str) -> Errors:
    if not row.get("path"):
        yield required(f"{field}.path")
    yield from local_path(row.get("path", ""), f"{field}.path")
    if "fieldRef" in row:
        yield from field_reference(row["fieldRef"], FILE_FIELDS, f"{field}.fieldRef")
        if "resourceFieldRef" in row:
            yield invalid(field, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")
    elif "resourceFieldRef" in row:
        yield from resource_reference(row["resourceFieldRef"], f"{field}.resourceFieldRef", named=True)
    else:
        yield required(field, "one of fieldRef and resourceFieldRef is required")
    yield from _mode(row, "mode", field)


def _projected(row: Row, field: str) -> Errors:
    yield from _mode(row, "defaultMode", field)
    taken: set[str] = set()
    for index, source in enumerate(row.get("sources", [])):
        place = f"{field}.sources[{index}]"
        for kind in ("secret", "configMap"):
            if kind in source:
                yield from _projected_keys(source[kind], f"{place}.{kind}", field, taken)
        for file in (source.get("downwardAPI") or {}).get("items", []):
            yield from _downward_file(file, f"{place}.downwardAPI")
            yield from _placed(file, file.get("path", ""), field, taken)
        if "serviceAccountToken" in source:
            yield from _token(source["serviceAccountToken"], place, field)
        if len(source) > 1:
            yield forbidden(place, "may not specify more than 1 volume type per source")


def _projected_keys(row: Row, place: str, field: str, taken: set[str]) -> Errors:
    if not row.get("name"):
        yield required(f"{place}.name")
    for index, item in enumerate(row.get("items", [])):
        yield from _key_to_path(item, f"{place}.items[{index}]")
        yield from _placed(item, row.get("name", ""), field, taken)


def _placed(row: Row, shown: str, field: str, taken: set[str]) -> Errors:
    path = row.get("path", "")
    if path in taken:
        yield invalid(field, shown, _TWICE)
    elif path:
        taken.add(path)


def _token(row: Row, place: str, field: str) -> Errors:
    seconds, (least, most) = row["expirationSeconds"], _TOKEN_SECONDS
    expiration = f"{place}.serviceAccountToken.expirationSeconds"
    if seconds < least:
        yield invalid(expiration, seconds, "may not specify a duration less than 10 minutes")
    elif seconds > most:
        yield invalid(expiration, seconds, "may not specify a duration larger than 2^32 seconds")
    if not row.get("path"):
        yield required(f"{field}.path")
    else:
        yield from local_path(row["path"], f"{field}.path")


def _claim(row: Row, field: str) -> Errors:
    if not row.get("claimName"):
        yield required(f"{field}.claimName")


def tokens(rows: list[Any]) -> Iterator[str]:
    """The fields of service account tokens in volumes."""
    for index, row in enumerate(rows):
        for number, source in enumerate((row.get("projected") or {}).get("sources", [])):
            if "serviceAccountToken" in source:
                yield f"spec.volumes[{index}].projected.sources[{number}].serviceAccountToken"


_SOURCES: dict[str, Callable[[Row, str], Errors]] = {
    "emptyDir": _empty_dir,
    "hostPath": _host_path,
    "secret": _keyed("secretName"),
    "persistentVolumeClaim": _claim,
    "downwardAPI": _downward,
    "configMap": _keyed("name"),
    "projected": _projected,
}
_ORDER = tuple(_SOURCES)
_MISSPELLED = {"downwardAPI": "downwarAPI"}
