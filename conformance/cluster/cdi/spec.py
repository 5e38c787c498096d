"""One CDI spec file: read, decoded and checked (pkg/cdi/spec.go, device.go).

Annotations may be anything: the library looks for another type than its decoder makes, so it never rejects any.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.cluster.cdi.decode import decode_spec
from conformance.cluster.cdi.edits import ContainerEdits
from conformance.cluster.cdi.errors import CdiError, quoted
from conformance.cluster.cdi.files import content
from conformance.cluster.cdi.names import check_class, check_device, check_vendor, split_kind
from conformance.cluster.cdi.version import check_version


@dataclass(frozen=True)
class Spec:
    """A valid spec file. `priority` is the index of its folder; `devices` maps device names to their edits."""

    path: Path
    priority: int
    kind: str
    cdi_version: str
    edits: ContainerEdits
    devices: Mapping[str, ContainerEdits]
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def cdi_ids(self) -> list[str]:
        """Fully qualified names of its devices, in the order of the file."""
        return [f"{self.kind}={name}" for name in self.devices]


@dataclass(frozen=True)
class Device:
    """A device and the spec that it is in."""

    cdi_id: str
    spec: Spec

    @property
    def edits(self) -> ContainerEdits:
        """Its own edits, without those of the spec."""
        return self.spec.devices[self.cdi_id.partition("=")[2]]


def read_spec(path: Path, priority: int) -> Spec:
    """Read and check a spec file. Raises CdiError with the library's text; FileNotFoundError when it is gone."""
    shown = quoted(path)
    try:
        data = content(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise CdiError(f"failed to read CDI Spec {shown}: {error}") from None
    try:
        raw = decode_spec(data)
    except (CdiError, RecursionError) as error:
        raise CdiError(f"failed to parse CDI Spec {shown}: {error}") from None
    if raw is None:
        raise CdiError(f"failed to parse CDI Spec {shown}, no Spec data")
    try:
        return _checked(raw, path, priority)
    except CdiError as error:
        raise CdiError(f"invalid CDI Spec: {error}") from None


def _checked(raw: dict[str, Any], path: Path, priority: int) -> Spec:
    check_version(raw)
    kind = raw.get("kind", "")
    vendor, class_name = split_kind(kind)
    check_vendor(vendor)
    check_class(class_name)
    edits = ContainerEdits.from_raw(raw.get("containerEdits", {}))
    edits.check()
    return Spec(path, priority, kind, raw["cdiVersion"], edits, _devices(raw), raw)


def _devices(raw: dict[str, Any]) -> dict[str, ContainerEdits]:
    devices: dict[str, ContainerEdits] = {}
    for device in raw.get("devices", []):
        name = device.get("name", "")
        try:
            edits = _device_edits(device)
        except CdiError as error:
            raise CdiError(f"failed add device {quoted(name)}: {error}") from None
        if name in devices:
            raise CdiError(f"invalid spec, multiple device {quoted(name)}")
        devices[name] = edits
    if not devices:
        raise CdiError("invalid spec, no devices")
    return devices


def _device_edits(device: Mapping[str, Any]) -> ContainerEdits:
    name = device.get("name", "")
    check_device(name)
    edits = ContainerEdits.from_raw(device.get("containerEdits", {}))
    if edits.empty:
        raise CdiError("invalid device, empty device edits")
    try:
        edits.check()
    except CdiError as error:
        raise CdiError(f"invalid device {quoted(name)}: {error}") from None
    return edits
