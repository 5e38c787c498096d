"""Rules of core objects, as far as wrong manifests of checks and drivers would break them."""

from collections.abc import Iterator, Sequence

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.validation_meta import new_metadata
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]

_STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")


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


def lease_fields(lease: Object) -> None:
    """Without those of elections that are coordinated, a feature that is off."""
    for key in ("strategy", "preferredHolder"):
        (lease.get("spec") or {}).pop(key, None)


def validate_namespace(write: Write) -> Sequence[FieldError]:
    """Metadata, finalizers of the namespace's own, and that its phase is what its deletion says."""
    if write.subresource:
        return list(_phase(write.new))
    errors = list(rules.metadata(write.new, formats.dns_label))
    if write.creates:
        for name in (write.new.get("spec") or {}).get("finalizers", []):
            errors += formats.each(formats.label_key(name), "spec.finalizers", name)
            if "/" not in name and name not in _STANDARD_FINALIZERS:
                why = "name is neither a standard finalizer name nor is it fully qualified"
                errors.append(invalid("spec.finalizers", name, why))
    return errors


def _phase(namespace: Object) -> Errors:
    phase, deleted = (namespace.get("status") or {}).get("phase", ""), "deletionTimestamp" in namespace["metadata"]
    if not deleted and phase != "Active":
        yield invalid("status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty")
    elif deleted and phase != "Terminating":
        yield invalid("status.Phase", phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")
