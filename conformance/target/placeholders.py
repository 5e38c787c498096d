"""Placeholders such as {kubeconfig} in commands, environment, hooks and folders of a driver file."""

import re
from collections.abc import Iterable, Iterator, Mapping

from conformance.target.model import DriverFile
from conformance.target.problems import TargetError, nearest

KNOWN: Mapping[str, str] = {
    "kubeconfig": "file with the address and credentials of the API server",
    "node_name": "name of the node",
    "node_root": "folder that is the node's file system",
    "kubelet_dir": "kubelet's folder",
    "plugins_dir": "folder for the drivers' sockets",
    "registry_dir": "folder for registration sockets",
    "cdi_dir": "folder for CDI specs",
    "boot_id_file": "file with the boot id of the node",
    "state_dir": "folder for the driver's state, from process.stateDir",
    "pod_uid": "UID of the driver's pod, another for each instance",
    "instance": "number of the instance, from 0",
    "driver_name": "name of the first driver",
    "python": "the Python that runs the suite",
    "binary": "the program that the section `build` makes, or the Python that has the package of `python`",
    "cache": "folder that the suite keeps built programs in",
    "file_dir": "folder of the driver file",
}
"""Name of each placeholder, and what it stands for."""

_IN_HOOKS: Mapping[str, str] = {
    "device": "name of the device that a hook is meant for",
    "pool": "name of its pool",
}
_ANYWHERE = ("binary", "cache", "driver_name", "file_dir", "python")  # the same on every node

_PLACEHOLDER = re.compile(r"\{(?P<escaped>\{\w+\})\}|\{(?P<name>[A-Za-z_]\w*)\}")


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with placeholders replaced; {{x}} becomes {x}, other braces stay. Raises KeyError."""
    return _PLACEHOLDER.sub(lambda match: match["escaped"] or values[match["name"]], text)


def names(text: str) -> list[str]:
    """Names of the placeholders in a text, in order."""
    return [match["name"] for match in _PLACEHOLDER.finditer(text) if match["name"]]


def used(file: DriverFile) -> set[str]:
    """Names of placeholders that the sections process and install use."""
    texts = (text for path, text in _texts(file) if path.startswith(("process", "image", "install")))
    return {name for text in texts for name in names(text)}


def check(file: DriverFile, where: object) -> None:
    """Raises TargetError that names an unknown placeholder and the known ones."""
    for path, text in _texts(file):
        allowed = _ANYWHERE if path.startswith(("install", "image.build")) else tuple(KNOWN)
        allowed = (*allowed, *_IN_HOOKS) if path.startswith("hooks.") else allowed
        for name in names(text):
            if name in KNOWN and name not in allowed:
                raise TargetError(f"{where}: {path} has {{{name}}}, but that is another one on each node; remove it")
            if name not in allowed:
                hint = nearest(f"{{{name}}}", [f"{{{known}}}" for known in allowed]) or ";"
                known = ", ".join(f"{{{known}}}" for known in allowed)
                raise TargetError(f"{where}: {path} has the unknown placeholder {{{name}}}{hint} known are {known}")


def _texts(file: DriverFile) -> Iterator[tuple[str, str]]:
    process = file.process
    if process:
        yield from _rows("process.command", process.command)
        yield from _entries("process.env", process.env)
        yield from _rows("process.folders", process.folders)
        yield from _entries("process.files", process.files)
        yield "process.stateDir", process.state_dir or ""
        if process.next_version:
            yield from _rows("process.nextVersion.command", process.next_version.command or ())
            yield from _entries("process.nextVersion.env", process.next_version.env)
    if file.image:
        yield from _rows("image.command", file.image.command)
        yield from _entries("image.env", file.image.env)
        yield from _entries("image.mounts", file.image.mounts)
        for index, command in enumerate(file.image.build):
            yield from _rows(f"image.build[{index}]", command)
        if file.image.next_version:
            yield from _rows("image.nextVersion.command", file.image.next_version.command or ())
            yield from _entries("image.nextVersion.env", file.image.next_version.env)
    for index, command in enumerate(file.install.build if file.install else ()):
        yield from _rows(f"install.build[{index}]", command)
    for name, field in type(file.hooks).model_fields.items():
        yield from _rows(f"hooks.{field.alias}", getattr(file.hooks, name) or ())


def _rows(path: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((f"{path}[{index}]", text) for index, text in enumerate(texts))


def _entries(path: str, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, value in texts.items():
        yield f"{path}.{key}", key
        yield f"{path}.{key}", value
