"""Injection: a container after the edits of its CDI devices (container-edits.go, containerd WithCDI)."""

import errno
import os
import re
import stat
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.cluster.cdi.edits import NO_PERMISSIONS, ContainerEdits
from conformance.cluster.cdi.errors import CdiError, quoted
from conformance.cluster.cdi.registry import CdiRegistry

_KINDS = {stat.S_IFBLK: "b", stat.S_IFCHR: "c", stat.S_IFIFO: "p"}
_FIFO = "p"
_MADE_UP = ("c", os.makedev(1, 3), 0o666)  # /dev/null's numbers


@dataclass
class Injected:
    """The parts of a container that CDI changes.

    env: variables; devices: {path, type, major, minor, permissions, fileMode, uid, gid}; mounts: {hostPath,
    containerPath, type, options}, shallow ones first; hooks: as in the spec, in order; additional_gids without 0;
    net_devices: host interface to name in the container; device_rules: {type, major, minor, access} for the cgroup, of
    every node in the order of the specs, also of one that a later node at its place replaces; cdi_ids: what was asked
    for, each once.
    """

    env: dict[str, str] = field(default_factory=dict)
    devices: list[dict[str, Any]] = field(default_factory=list)
    mounts: list[dict[str, Any]] = field(default_factory=list)
    hooks: list[dict[str, Any]] = field(default_factory=list)
    additional_gids: list[int] = field(default_factory=list)
    net_devices: dict[str, str] = field(default_factory=dict)
    device_rules: list[dict[str, Any]] = field(default_factory=list)
    intel_rdt: Mapping[str, Any] | None = None
    cdi_ids: tuple[str, ...] = ()


def inject(
    registry: CdiRegistry,
    cdi_ids: Iterable[str],
    host_root: Path = Path("/"),
    *,
    env: Mapping[str, str] | None = None,
    user: tuple[int, int] = (0, 0),
    made_up: Collection[str] = (),
) -> Injected:
    """A container with `env` after injection of these devices; a name that comes twice is injected once.

    `host_root` is where the node's file system is seen, for device nodes without numbers in the spec; `made_up`: paths
    of nodes that are taken to be there; `user` is the container process's (uid, gid), which owns device nodes unless it
    is root. Raises CdiError with containerd's text ("CDI device injection failed: …"); then nothing is injected.
    """
    wanted = tuple(dict.fromkeys(cdi_ids))
    container = Injected(env=dict(env or {}), cdi_ids=wanted)
    try:
        edits = registry.edits(wanted)
    except CdiError as error:
        raise CdiError(f"CDI device injection failed: {error}") from None
    try:
        _apply(container, edits, _Host(host_root, frozenset(made_up)), user)
    except CdiError as error:
        raise CdiError(f"CDI device injection failed: failed to inject devices: {error}") from None
    return container


def _apply(container: Injected, edits: ContainerEdits, host: "_Host", user: tuple[int, int]) -> None:
    for entry in edits.env:
        name, _, value = entry.partition("=")
        container.env[name] = value
    for node in edits.device_nodes:
        device = _device(node, host, user)
        _replace(container.devices, "path", device)
        if device["type"] in ("b", "c"):
            numbers = {key: device[key] for key in ("type", "major", "minor")}
            container.device_rules.append({**numbers, "access": device["permissions"]})
    for mount in edits.mounts:
        container.mounts = [known for known in container.mounts if known["containerPath"] != mount["containerPath"]]
        container.mounts.append({"type": "", "options": [], **mount})
    container.mounts.sort(key=lambda mount: _depth(mount["containerPath"]))
    container.hooks += [dict(hook) for hook in edits.hooks]
    for gid in edits.additional_gids:
        if gid and gid not in container.additional_gids:
            container.additional_gids.append(gid)
    container.net_devices.update({device["hostInterfaceName"]: device["name"] for device in edits.net_devices})
    container.intel_rdt = edits.intel_rdt


def _replace(rows: list[dict[str, Any]], key: str, row: dict[str, Any]) -> None:
    rows[:] = [known for known in rows if known[key] != row[key]]
    rows.append(row)


def _depth(path: str) -> int:
    # As Go counts: the root is as deep as what is directly below it.
    return re.sub("^//", "/", os.path.normpath(path)).count("/")


def _device(node: Mapping[str, Any], host: "_Host", user: tuple[int, int]) -> dict[str, Any]:
    device: dict[str, Any] = {
        "type": "",
        "major": 0,
        "minor": 0,
        "hostPath": node.get("hostPath") or node["path"],
        **node,
    }
    _fill_in(device, host)
    access = node.get("permissions", "")
    device["permissions"] = "" if access == NO_PERMISSIONS else access or "rwm"
    for key, owner in zip(("uid", "gid"), user, strict=True):
        if owner:
            device.setdefault(key, owner)
    return device


def _fill_in(device: dict[str, Any], host: "_Host") -> None:
    """Take from the host's node what the spec leaves out. Raises CdiError where that is needed and not to be had."""
    complete = device["type"] and (device["major"] or device["type"] == _FIFO)
    try:
        kind, number, mode = host.look(device["hostPath"])
    except CdiError as error:
        if not complete:
            raise CdiError(f"failed to stat CDI host device {quoted(device['hostPath'])}: {error}") from None
        return
    device.setdefault("fileMode", mode)
    if complete:
        return
    device["type"] = device["type"] or kind
    if device["type"] != kind:
        names = f"({quoted(device['path'])}, {quoted(device['hostPath'])})"
        raise CdiError(f"CDI device {names}, host type mismatch ({device['type']}, {kind})")
    if kind != _FIFO and not device["major"]:
        device["major"], device["minor"] = os.major(number), os.minor(number)


@dataclass(frozen=True)
class _Host:
    """Where device nodes are looked for, and which are taken to be there."""

    root: Path
    made_up: frozenset[str]

    def look(self, path: str) -> tuple[str, int, int]:
        """(type, device number, permission bits) of a device node."""
        if path in self.made_up:
            return _MADE_UP
        try:
            status = (self.root / path.lstrip("/")).lstat()
        except OSError as error:
            missing = error.errno == errno.ENOENT
            raise CdiError("no such file or directory" if missing else os.strerror(error.errno or 0).lower()) from None
        kind = _KINDS.get(stat.S_IFMT(status.st_mode))
        if kind is None:
            raise CdiError("not a device node")
        return kind, status.st_rdev, stat.S_IMODE(status.st_mode)
