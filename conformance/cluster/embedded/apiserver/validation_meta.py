"""Rules of object metadata (k8s.io/apimachinery/pkg/api/validation/objectmeta.go)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    forbidden,
    invalid,
    required,
    too_long,
)

Errors = Iterator[FieldError]
Names = Callable[[str], Iterator[str]]
Row = Mapping[str, Any]

_ANNOTATION_BYTES = 256 * 1024
_ORPHAN, _FOREGROUND = "orphan", "foregroundDeletion"
_IMMUTABLE = "field is immutable"
_STANDARD = ("kubernetes", _ORPHAN, _FOREGROUND)
_KEPT = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def core_metadata(meta: Row, names: Names, *, prefix: bool = True) -> Errors:
    """As new_metadata, for the kinds that do not take every finalizer (ValidateObjectMeta in pkg/apis/core)."""
    yield from new_metadata(meta, names, prefix=prefix)
    yield from _known_finalizers(meta)


def _known_finalizers(meta: Row) -> Errors:
    for index, name in enumerate(meta.get("finalizers") or []):
        field = f"metadata.finalizers[{index}]"
        if "/" not in name and name not in _STANDARD:
            yield invalid(field, name, "name is neither a standard finalizer name nor is it fully qualified")


def new_metadata(meta: Row, names: Names, *, prefix: bool = True) -> Errors:
    """Of an object to be created: its name, and all else (ValidateObjectMeta in apimachinery).

    `prefix`: whether generateName is looked at, too.
    """
    base, name = meta.get("generateName", ""), meta.get("name", "")
    if prefix and base:
        yield from formats.each(names(_without_dash(base)), "metadata.generateName", base)
    if not name:
        yield required("metadata.name", "name or generateName is required")
    else:
        yield from formats.each(names(name), "metadata.name", name)
    yield from common(meta)


def changed_metadata(meta: Row, old: Row, *, any_finalizer: bool) -> Errors:
    """Of an object that is replaced (ValidateObjectMetaUpdate). `any_finalizer`: also names without a domain."""
    yield from common(meta)
    if not any_finalizer:
        yield from _known_finalizers(meta)
    if "deletionTimestamp" in old:
        added = sorted({*meta.get("finalizers", [])} - {*old.get("finalizers", [])})
        if added:
            shown = "[]string{" + ", ".join(f'"{name}"' for name in added) + "}"
            why = "no new finalizers can be added if the object is being deleted, found new finalizers "
            yield forbidden("metadata.finalizers", why + shown)
    for key in _KEPT:
        if meta.get(key) != old.get(key):
            yield invalid(f"metadata.{key}", meta.get(key), _IMMUTABLE)


def common(meta: Row) -> Errors:
    """What creates and updates have in common."""
    if "namespace" in meta:
        yield from formats.each(formats.dns_label(meta["namespace"]), "metadata.namespace", meta["namespace"])
    if meta.get("generation", 0) < 0:
        yield invalid("metadata.generation", meta["generation"], "must be greater than or equal to 0")
    for key, value in (meta.get("labels") or {}).items():
        yield from formats.each(formats.label_key(key), "metadata.labels", key)
        yield from formats.each(formats.label_value(value), "metadata.labels", value)
    yield from _annotations(meta.get("annotations") or {})
    yield from _owners(meta.get("ownerReferences") or [])
    yield from _finalizers(meta.get("finalizers") or [])


def _without_dash(prefix: str) -> str:
    """A prefix as it is judged: something comes after it, so that it may end with a dash."""
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix


def _annotations(rows: Mapping[str, str]) -> Errors:
    for key in rows:
        yield from formats.each(formats.label_key(key.lower()), "metadata.annotations", key)
    if sum(len(key.encode()) + len(value.encode()) for key, value in rows.items()) > _ANNOTATION_BYTES:
        yield too_long("metadata.annotations", _ANNOTATION_BYTES)


def _owners(rows: Sequence[Row]) -> Errors:
    controller = ""
    for index, row in enumerate(rows):
        field = f"metadata.ownerReferences[{index}]"
        version = row.get("apiVersion", "")
        if version and (version.count("/") > 1 or not version.rpartition("/")[2]):
            yield invalid(f"{field}.apiVersion", version, "must be <group>/<version> or <version>")
        for key in ("apiVersion", "kind", "name", "uid"):
            if not row.get(key):
                yield required(f"{field}.{key}", "must not be empty")
        if version in ("v1", "/v1") and row.get("kind") == "Event":
            yield invalid(field, dict(row), "/v1, Kind=Event is disallowed from being an owner")
        if row.get("controller"):
            this = f"{row.get('kind', '')}/{row.get('name', '')}"
            if controller:
                text = 'Only one reference can have Controller set to true. Found "true" in references for '
                yield invalid("metadata.ownerReferences", list(rows), f"{text}{controller} and {this}")
            controller = controller or this


def _finalizers(rows: Sequence[str]) -> Errors:
    for name in rows:
        yield from formats.each(formats.label_key(name), "metadata.finalizers", name)
    if _ORPHAN in rows and _FOREGROUND in rows:
        text = f"finalizer {_ORPHAN} and {_FOREGROUND} cannot be both set"
        yield invalid("metadata.finalizers", list(rows), text)
