"""Rules of DeviceClass and DeviceTaintRule (pkg/apis/resource/validation/validation.go)."""

from collections.abc import Iterator, Sequence

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid
from conformance.cluster.embedded.apiserver.write import Write


def validate(write: Write) -> Sequence[FieldError]:
    """ValidateDeviceClass, ValidateDeviceClassUpdate: what did not change is not checked again."""
    spec = write.new["spec"]
    old = (write.old or {}).get("spec", {})
    errors = list(rules.metadata(write.new, prefix=False)) if write.creates else []
    if write.creates or spec.get("selectors") != old.get("selectors"):
        errors += rules.selectors(spec.get("selectors", []), "spec.selectors")
    errors += rules.items(spec.get("config", []), 32, rules.configuration, "spec.config")
    return errors + list(_extended_resource(spec.get("extendedResourceName")))


def _extended_resource(name: str | None) -> Iterator[FieldError]:
    if name is None:
        return
    domain, slash, _ = name.partition("/")
    reserved = domain.endswith("kubernetes.io") or name.startswith("requests.")
    if not slash or reserved or any(formats.label_key(name)):
        yield invalid("spec.extendedResourceName", name, "must be a valid extended resource name")


def validate_taint_rule(write: Write) -> Sequence[FieldError]:
    """ValidateDeviceTaintRule."""
    if write.subresource:
        rows = write.new.get("status", {}).get("conditions", [])
        return list(rules.conditions(rows, 8, "status.conditions"))
    spec = write.new["spec"]
    chosen = spec.get("deviceSelector", {})
    errors = [*rules.new_metadata(write), *rules.taint(spec["taint"], "spec.taint")]
    if "driver" in chosen:
        errors += formats.driver_name(chosen["driver"], "spec.deviceSelector.driver")
    if "pool" in chosen:
        errors += formats.pool_name(chosen["pool"], "spec.deviceSelector.pool")
    if "device" in chosen:
        errors += rules.device_name(chosen["device"], "spec.deviceSelector.device")
    return errors
