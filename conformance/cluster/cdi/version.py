"""Versions of the CDI spec: which exist, and the lowest one that allows what a spec uses (specs-go/version.go)."""

from collections.abc import Callable, Iterator
from typing import Any

from conformance.cluster.cdi.errors import CdiError, present, quoted

VERSIONS = ("0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0")
"""All released versions, oldest first."""

_Raw = dict[str, Any]


def minimum_version(spec: _Raw) -> str:
    """The lowest version that allows what a decoded spec uses."""
    return next((version for version, used in _FEATURES if used(spec)), "0.3.0")


def check_version(spec: _Raw) -> None:
    """Raises CdiError when cdiVersion is unknown or lower than what the spec uses needs."""
    version = spec.get("cdiVersion", "").removeprefix("v")
    if version not in VERSIONS:
        raise CdiError(f"invalid version {quoted(spec.get('cdiVersion', ''))}")
    minimum = minimum_version(spec)
    if VERSIONS.index(version) < VERSIONS.index(minimum):
        raise CdiError(f"the spec version must be at least v{minimum}")


def _edits(spec: _Raw) -> Iterator[_Raw]:
    yield spec.get("containerEdits", {})
    for device in spec.get("devices", []):
        yield device.get("containerEdits", {})


def _looked_at(spec: _Raw) -> list[_Raw]:
    # The library collects pointers to a loop's variable, in a module of a Go version where they all end at the last
    # device: of the others it does not see what they use.
    return list(_edits(spec))[:1] + list(_edits(spec))[1:][-1:]


def _uses_1_1(spec: _Raw) -> bool:
    return any(
        edits.get("netDevices") or "schemata" in edits.get("intelRdt", {}) or _monitors(edits) for edits in _edits(spec)
    )


def _monitors(edits: _Raw) -> bool:
    return bool(edits.get("intelRdt", {}).get("enableMonitoring"))


def _uses_0_7(spec: _Raw) -> bool:
    return any("intelRdt" in edits or edits.get("additionalGids") for edits in _edits(spec))


def _uses_0_6(spec: _Raw) -> bool:
    annotated = spec.get("annotations") or any(device.get("annotations") for device in spec.get("devices", []))
    return bool(annotated) or "." in spec.get("kind", "").partition("/")[2]


def _uses_0_5(spec: _Raw) -> bool:
    if any(device.get("name", "")[:1] in tuple("0123456789") for device in spec.get("devices", [])):
        return True
    return any(node.get("hostPath") for edits in _looked_at(spec) for node in present(edits.get("deviceNodes", ())))


def _uses_0_4(spec: _Raw) -> bool:
    return any(mount.get("type") for edits in _looked_at(spec) for mount in present(edits.get("mounts", ())))


_FEATURES: tuple[tuple[str, Callable[[_Raw], bool]], ...] = (
    ("1.1.0", _uses_1_1),
    ("0.7.0", _uses_0_7),
    ("0.6.0", _uses_0_6),
    ("0.5.0", _uses_0_5),
    ("0.4.0", _uses_0_4),
)
