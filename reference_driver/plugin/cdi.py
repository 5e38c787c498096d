"""CDI specs: one file per claim, so that claims never share a file and removing one is one unlink."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .files import remove, remove_temporaries, write_atomic

Spec = dict[str, Any]


@dataclass(frozen=True)
class ContainerEdits:
    """What a container gets: environment as K=V, and the other edits as the CDI specification writes them."""

    env: Sequence[str] = ()
    device_nodes: Sequence[dict[str, Any]] = ()
    mounts: Sequence[dict[str, Any]] = ()
    hooks: Sequence[dict[str, Any]] = ()
    additional_gids: Sequence[int] = ()

    def to_cdi(self) -> dict[str, Any]:
        """The `containerEdits` object; empty lists are left out."""
        edits = {
            "env": list(self.env),
            "deviceNodes": list(self.device_nodes),
            "mounts": list(self.mounts),
            "hooks": list(self.hooks),
            "additionalGids": list(self.additional_gids),
        }
        return {key: value for key, value in edits.items() if value}

    def and_mounts(self, mounts: Sequence[dict[str, Any]]) -> "ContainerEdits":
        """The same with more mounts."""
        return replace(self, mounts=[*self.mounts, *mounts]) if mounts else self

    def plus(self, other: "ContainerEdits") -> "ContainerEdits":
        """These, then those of another."""
        return ContainerEdits(
            [*self.env, *other.env],
            [*self.device_nodes, *other.device_nodes],
            [*self.mounts, *other.mounts],
            [*self.hooks, *other.hooks],
            [*self.additional_gids, *other.additional_gids],
        )

    def __bool__(self) -> bool:
        return bool(self.to_cdi())


@dataclass(frozen=True)
class CdiDevice:
    """One named device of a spec."""

    name: str
    edits: ContainerEdits
    annotations: dict[str, str] = field(default_factory=dict)


class CdiFolder:
    """The own specs in the folder that the container runtime reads. Kind is `<vendor>/<class>`."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.kind = kind
        self._folder = folder
        self._prefix = kind.replace("/", "-") + "_claim-"

    def device_id(self, name: str) -> str:
        """The fully qualified name under which the runtime finds a device."""
        return f"{self.kind}={name}"

    def path(self, uid: str) -> Path:
        """The spec file of a claim."""
        return self._folder / f"{self._prefix}{uid}.json"

    def spec(self, devices: Sequence[CdiDevice], common: ContainerEdits) -> Spec | None:
        """The spec of a claim; None when no device has edits, since CDI knows no devices without any."""
        named = [device for device in devices if device.edits]
        if not named:
            return None
        spec: Spec = {"cdiVersion": lowest_version(self.kind, named, common), "kind": self.kind}
        spec["devices"] = [_device(device) for device in named]
        return spec | ({"containerEdits": common.to_cdi()} if common else {})

    def write(self, uid: str, spec: Spec) -> None:
        """Write a claim's spec. Raises OSError; the file is then as it was."""
        path, data = self.path(uid), _encode(spec)
        try:
            write_atomic(path, data)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, data)

    def ensure(self, uid: str, spec: Spec) -> bool:
        """Write the spec unless it is there with this content; whether it had to be written. Raises OSError."""
        try:
            if self.path(uid).read_bytes() == _encode(spec):
                return False
        except FileNotFoundError:
            pass
        self.write(uid, spec)
        return True

    def remove(self, uid: str) -> None:
        """Remove a claim's spec, if there is one. Raises OSError."""
        with suppress(NotADirectoryError):
            remove(self.path(uid))

    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        """Own specs of claims that are not among the UIDs `known`."""
        wanted = {self.path(uid) for uid in known}
        yield from (path for path in self._folder.glob(f"{self._prefix}*.json") if path not in wanted)

    def remove_temporaries(self) -> None:
        """Remove half-written files of a process that was killed."""
        remove_temporaries(self._folder, self._prefix)


def lowest_version(kind: str, devices: Sequence[CdiDevice], common: ContainerEdits) -> str:
    """The oldest CDI version that has all that is used, so that old runtimes can read the spec."""
    edits = [common, *(device.edits for device in devices)]
    if any(edit.additional_gids for edit in edits):
        return "0.7.0"
    if "." in kind.partition("/")[2] or any(device.annotations for device in devices):
        return "0.6.0"
    if any(device.name[0].isdigit() for device in devices) or _has(edits, "device_nodes", "hostPath"):
        return "0.5.0"
    return "0.4.0" if _has(edits, "mounts", "type") else "0.3.0"


def _has(edits: Sequence[ContainerEdits], section: str, field_name: str) -> bool:
    return any(field_name in entry for edit in edits for entry in getattr(edit, section))


def _device(device: CdiDevice) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": device.name, "containerEdits": device.edits.to_cdi()}
    return entry | ({"annotations": device.annotations} if device.annotations else {})


def _encode(spec: Spec) -> bytes:
    return json.dumps(spec).encode() + b"\n"  # in one line: with indentation it takes ten times as long
