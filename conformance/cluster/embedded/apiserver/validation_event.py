"""Rules of Event (pkg/apis/core/validation/events.go): few in the core group, strict in events.k8s.io."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, required
from conformance.cluster.embedded.apiserver.validation_meta import core_metadata
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_STRICT = "events.k8s.io/v1"
_LIMITS = {"reportingInstance": 128, "action": 128, "reason": 128, "message": 1024}
_UNSET = {"firstTimestamp": None, "lastTimestamp": None, "count": 0}
_FIXED = (
    *("involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type"),
    *("eventTime", "action", "related", "reportingComponent", "reportingInstance"),
)


def validate(write: Write) -> Sequence[FieldError]:
    """What events have always been checked for, and the rest in events.k8s.io."""
    strict = write.api_version == _STRICT
    errors = list(_always(write.new, "reportingController" if strict else "reportingComponent"))
    if strict:
        errors += _new(write.new) if write.old is None else _changed(write.new, write.old)
    return errors


def _always(event: Row, reporter: str) -> Errors:
    namespace = event["metadata"].get("namespace", "")
    other = (event.get("involvedObject") or {}).get("namespace", "")
    if not event.get("eventTime"):
        agrees = namespace == other if other else namespace in ("", "default")
    else:
        agrees = bool(other) or namespace in ("default", "kube-system")
    if not agrees:
        yield invalid("involvedObject.namespace", other, "does not match event.namespace")
    if event.get("eventTime"):
        yield from _told_by(event, reporter)


def _told_by(event: Row, field: str) -> Errors:
    reporter = event.get("reportingComponent", "")
    if not reporter:
        yield required(field)
    yield from formats.each(formats.label_key(reporter), field, reporter)
    for key, limit in _LIMITS.items():
        text = event.get(key, "")
        if not text and key != "message":
            yield required(key)
        if len(text.encode()) > limit:
            yield invalid(key, "", f"can have at most {limit} characters")


def _new(event: Row) -> Errors:
    yield from core_metadata(event["metadata"], formats.dns_subdomain)
    yield from _series(event)
    if not event.get("eventTime"):
        yield required("eventTime")
    if event.get("type", "") not in ("Normal", "Warning"):
        yield invalid("type", "", f"has invalid value: {event.get('type', '')}")
    for key, nothing in _UNSET.items():
        if event.get(key, nothing) != nothing:
            yield invalid(key, "", "needs to be unset")
    source = event.get("source") or {}
    if source.get("component") or source.get("host"):
        yield invalid("source", "", "needs to be unset")


def _series(event: Row) -> Errors:
    series = event.get("series")
    if series is None:
        return
    if series.get("count", 0) < 2:
        yield invalid("series.count", "", "should be at least 2")
    if not series.get("lastObservedTime"):
        yield required("series.lastObservedTime")


def _changed(event: Row, old: Row) -> Errors:
    if event.get("series") != old.get("series"):
        yield from _series(event)
    for key in _FIXED:
        field = "reportingController" if key == "reportingComponent" else key
        yield from rules.immutable(event.get(key) or None, old.get(key) or None, field)
