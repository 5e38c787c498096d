"""Strict decoding of CDI spec files: unknown fields, repeated keys and wrong types reject the file.

JSON is read as YAML, as the CDI library does (pkg/cdi/spec.go ParseSpec). The shapes below are the structs of specs-go,
and a decoded list has None where a pointer of Go would be nil.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from conformance.cluster.cdi.errors import CdiError, quoted
from conformance.cluster.cdi.yamltypes import CannotResolve, Loader, Scalar, resolved, tag_of

_Decode = Callable[["_Errors", Any], Any]
_DROP = object()
"""What a decoder gives for a value that the Go decoder leaves out."""
_TRUE, _FALSE = ("y", "yes", "on"), ("n", "no", "off")


@dataclass
class _Errors:
    lines: list[str] = field(default_factory=list)

    def add(self, node: Any, text: str) -> None:
        self.lines.append(f"line {_line(node)}: {text}")

    def wrong(self, node: Any, go_type: str) -> object:
        shown = ""
        if isinstance(node, yaml.ScalarNode):
            value = node.value if len(node.value.encode()) <= 10 else f"{node.value[:7]}..."
            shown = f" `{value}`"
        self.add(node, f"cannot unmarshal {tag_of(node)}{shown} into {go_type}")
        return _DROP


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1


def _is_null(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and tag_of(node) == "!!null"


def _scalar(decode: Callable[[Scalar], Any], go_type: str) -> _Decode:
    """A decoder for a scalar, by one from its value; that gives _DROP for what does not fit."""

    def of_node(errors: _Errors, node: Any) -> Any:
        if isinstance(node, yaml.ScalarNode):
            value = resolved(node)[1]
            if value is None:
                return _DROP
            found = decode(value)
            if found is not _DROP:
                return found
        return errors.wrong(node, go_type)

    return of_node


def _string(errors: _Errors, node: Any) -> Any:
    if not isinstance(node, yaml.ScalarNode):
        return errors.wrong(node, "string")
    return _DROP if resolved(node)[1] is None else str(node.value)


def _integer(go_type: str, least: int, most: int) -> _Decode:
    def decode(value: Scalar) -> Any:
        if isinstance(value, float) and math.isfinite(value):
            value = int(value)
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return value if fits else _DROP

    return _scalar(decode, go_type)


def _boolean(value: Scalar) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in {form for word in _TRUE for form in (word, word.title(), word.upper())}:
        return True
    if isinstance(value, str) and value in {form for word in _FALSE for form in (word, word.title(), word.upper())}:
        return False
    return _DROP


def _list(item: _Decode, go_type: str) -> _Decode:
    pointers = go_type.startswith("*")

    def decode(errors: _Errors, node: Any) -> Any:
        if not isinstance(node, yaml.SequenceNode):
            return errors.wrong(node, f"[]{go_type}")
        items = [None if pointers and _is_null(entry) else _item(errors, entry) for entry in node.value]
        return [entry for entry in items if entry is not _DROP]

    def _item(errors: _Errors, entry: Any) -> Any:
        return _DROP if _is_null(entry) else item(errors, entry)

    return decode


def _string_map(errors: _Errors, node: Any) -> Any:
    if not isinstance(node, yaml.MappingNode):
        return errors.wrong(node, "map[string]string")
    if _repeated(errors, node):
        return _DROP
    found: dict[str, str] = {}
    merged: list[Any] = []
    for key, value in node.value:
        if _is_merge(key):
            merged = [value]
            continue
        name = _string(errors, key)
        text = "" if _is_null(value) else _string(errors, value)
        if name is not _DROP and text is not _DROP:
            found[name] = text
    for other in merged:
        for part in _merged_maps(other):
            found = {**(_string_map(errors, part) or {}), **found}
    return found


def _struct(go_type: str, fields: Mapping[str, _Decode]) -> _Decode:
    def decode(errors: _Errors, node: Any) -> Any:
        decoded: dict[str, Any] = {}
        return decoded if _into(errors, node, decoded, None) else _DROP

    def _into(errors: _Errors, node: Any, decoded: dict[str, Any], taken: set[str] | None) -> bool:
        if not isinstance(node, yaml.MappingNode):
            errors.wrong(node, go_type)
            return False
        if _repeated(errors, node):
            return False
        merged = None
        for key, value in node.value:
            if _is_merge(key):
                merged = value
                continue
            name = _string(errors, key)
            if name is _DROP or name in (taken or ()):
                continue
            if taken is not None:
                taken.add(name)
            _field(errors, key, value, decoded)
        if merged is not None:
            names = {str(key.value) for key, _ in node.value} if taken is None else taken
            for part in _merged_maps(merged):
                _into(errors, part, decoded, names)
        return True

    def _field(errors: _Errors, key: Any, value: Any, decoded: dict[str, Any]) -> None:
        if key.value not in fields:
            errors.add(key, f"field {key.value} not found in type {go_type}")
        elif not _is_null(value):  # null leaves a field as it was: unset
            found = fields[key.value](errors, value)
            if found is not _DROP:
                decoded[key.value] = found

    return decode


def _repeated(errors: _Errors, node: Any) -> bool:
    """Whether a key is there twice, in the decoder's order of telling."""
    keys = [key for key, _ in node.value]
    texts = [(type(key), key.value if isinstance(key, yaml.ScalarNode) else "") for key in keys]
    found = False
    for number, key in enumerate(keys):
        for other in range(number + 1, len(keys)):
            if texts[number] == texts[other]:
                found = True
                text = f"mapping key {quoted(texts[other][1])} already defined at line {_line(key)}"
                errors.add(keys[other], text)
    return found


def _is_merge(key: Any) -> bool:
    return isinstance(key, yaml.ScalarNode) and key.value == "<<" and tag_of(key) in ("!!merge", "!")


def _merged_maps(node: Any) -> list[Any]:
    parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not all(isinstance(part, yaml.MappingNode) for part in parts):
        raise CannotResolve("map merge requires map or sequence of maps as the value")
    return list(parts)


_INT = _integer("int", -(2**63), 2**63 - 1)
_INT64 = _integer("int64", -(2**63), 2**63 - 1)
_UINT32 = _integer("uint32", 0, 2**32 - 1)
_STRINGS = _list(_string, "string")
_DEVICE_NODE = _struct(
    "specs.DeviceNode",
    {
        **dict.fromkeys(("path", "hostPath", "type", "permissions"), _string),
        **dict.fromkeys(("major", "minor"), _INT64),
        "fileMode": _integer("fs.FileMode", 0, 2**32 - 1),
        **dict.fromkeys(("uid", "gid"), _UINT32),
    },
)
_NET_DEVICE = _struct("specs.LinuxNetDevice", dict.fromkeys(("hostInterfaceName", "name"), _string))
_HOOK = _struct(
    "specs.Hook", {"hookName": _string, "path": _string, "args": _STRINGS, "env": _STRINGS, "timeout": _INT}
)
_MOUNT = _struct("specs.Mount", {"hostPath": _string, "containerPath": _string, "options": _STRINGS, "type": _string})
_INTEL_RDT = _struct(
    "specs.IntelRdt",
    {
        **dict.fromkeys(("closID", "l3CacheSchema", "memBwSchema"), _string),
        "schemata": _STRINGS,
        "enableMonitoring": _scalar(_boolean, "bool"),
    },
)
_EDITS = _struct(
    "specs.ContainerEdits",
    {
        "env": _STRINGS,
        "deviceNodes": _list(_DEVICE_NODE, "*specs.DeviceNode"),
        "netDevices": _list(_NET_DEVICE, "*specs.LinuxNetDevice"),
        "hooks": _list(_HOOK, "*specs.Hook"),
        "mounts": _list(_MOUNT, "*specs.Mount"),
        "intelRdt": _INTEL_RDT,
        "additionalGids": _list(_UINT32, "uint32"),
    },
)
_DEVICE = _struct("specs.Device", {"name": _string, "annotations": _string_map, "containerEdits": _EDITS})
_SPEC = _struct(
    "specs.Spec",
    {
        "cdiVersion": _string,
        "kind": _string,
        "annotations": _string_map,
        "devices": _list(_DEVICE, "specs.Device"),
        "containerEdits": _EDITS,
    },
)


def decode_spec(data: bytes) -> dict[str, Any] | None:
    """The first document of a spec file, with the field names of the file; None when it is null.

    Raises CdiError with the library's text when it is not well-formed or does not fit the spec's types.
    """
    errors = _Errors()
    try:
        node = _first_document(data)
        if node is None:
            raise CdiError("failed to unmarshal CDI Spec: EOF")
        spec: dict[str, Any] | None = None if _is_null(node) else _SPEC(errors, node)
    except (yaml.YAMLError, CannotResolve, ValueError) as error:
        raise CdiError(f"failed to unmarshal CDI Spec: yaml: {_reason(error, data)}") from None
    if errors.lines:
        lines = "".join(f"\n  {line}" for line in errors.lines)
        raise CdiError(f"failed to unmarshal CDI Spec: yaml: unmarshal errors:{lines}")
    return spec


def _first_document(data: bytes) -> Any:
    loader = Loader(data)
    try:
        return loader.get_node() if loader.check_node() else None
    finally:
        loader.dispose()


def _reason(error: Exception, data: bytes) -> str:
    """What the Go decoder says of a file that is not well-formed."""
    if isinstance(error, yaml.reader.ReaderError):
        return str(error.reason)
    if not isinstance(error, yaml.MarkedYAMLError):
        return " ".join(str(error).split())
    at = error.problem_mark
    if isinstance(error, yaml.composer.ComposerError) and at:
        line = data.decode(errors="replace").splitlines()[at.line]
        return f"unknown anchor '{re.split(r'[^A-Za-z0-9_-]', line[at.column + 1 :])[0]}' referenced"
    number = next((mark.line for mark in (error.context_mark, at) if mark and mark.line), 0)
    if isinstance(error, yaml.scanner.ScannerError) and number:
        number += 1
    return (f"line {number}: " if number else "") + str(error.problem)
