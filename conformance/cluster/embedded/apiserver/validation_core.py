"""Rules of core objects, as far as wrong manifests of checks and drivers would break them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid, required
from conformance.cluster.embedded.apiserver.validation_meta import new_metadata
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]

_STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")
_EVENT_LIMITS = {"reportingInstance": 128, "action": 128, "reason": 128, "message": 1024}


def validate(write: Write) -> Sequence[FieldError]:
    """Metadata only."""
    return list(rules.metadata(write.new))


def validate_lease(write: Write) -> Sequence[FieldError]:
    """Metadata, and the numbers and names of its holder (pkg/apis/coordination/validation)."""
    spec = write.new.get("spec") or {}
    errors = list(new_metadata(write.new["metadata"], formats.dns_subdomain)) if write.creates else []
    for key in ("leaseDurationSeconds", "leaseTransitions"):
        least = 1 if key == "leaseDurationSeconds" else 0
        if key in spec and spec[key] < least:
            text = "must be greater than 0" if least else "must be greater than or equal to 0"
            errors.append(invalid(f"spec.{key}", spec[key], text))
    return errors


def validate_namespace(write: Write) -> Sequence[FieldError]:
    """Metadata, and finalizers of the namespace's own."""
    errors = list(rules.metadata(write.new, formats.dns_label))
    if write.creates:
        for name in (write.new.get("spec") or {}).get("finalizers", []):
            errors += formats.each(formats.label_key(name), "spec.finalizers", name)
            if "/" not in name and name not in _STANDARD_FINALIZERS:
                why = "name is neither a standard finalizer name nor is it fully qualified"
                errors.append(invalid("spec.finalizers", name, why))
    return errors


def validate_event(write: Write) -> Sequence[FieldError]:
    """What events of core/v1 have always been checked for (legacyValidateEvent)."""
    event, namespace = write.new, write.new["metadata"].get("namespace", "")
    other = (event.get("involvedObject") or {}).get("namespace", "")
    errors = []
    if not event.get("eventTime"):
        agrees = namespace == other if other else namespace in ("", "default")
    else:
        agrees = bool(other) or namespace in ("default", "kube-system")
        errors = list(_told_by(event))
    if not agrees:
        errors.insert(0, invalid("involvedObject.namespace", other, "does not match event.namespace"))
    return errors


def _told_by(event: Mapping[str, Any]) -> Errors:
    reporter = event.get("reportingComponent", "")
    if not reporter:
        yield required("reportingComponent")
    yield from formats.each(formats.label_key(reporter), "reportingComponent", reporter)
    for key, limit in _EVENT_LIMITS.items():
        text = event.get(key, "")
        if not text and key != "message":
            yield required(key)
        if len(text) > limit:
            yield invalid(key, "", f"can have at most {limit} characters")
