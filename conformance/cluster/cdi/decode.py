"""Strict decoding of CDI spec files: unknown fields, repeated keys and wrong types reject the file.

JSON is read as YAML, as the CDI library does (pkg/cdi/spec.go ParseSpec). The shapes below are the structs of specs-go.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from conformance.cluster.cdi.errors import CdiError

# The C loader also takes tabs between the tokens of JSON.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = "tag:yaml.org,2002:null"
_Decode = Callable[["_Errors", Any], Any]


@dataclass
class _Errors:
    lines: list[str] = field(default_factory=list)

    def add(self, node: Any, text: str) -> None:
        self.lines.append(f"line {node.start_mark.line + 1}: {text}")


def _wrong(errors: _Errors, node: Any, go_type: str) -> None:
    tag = str(node.tag).replace("tag:yaml.org,2002:", "!!")
    shown = f" `{node.value[:10]}`" if isinstance(node, yaml.ScalarNode) else ""
    errors.add(node, f"cannot unmarshal {tag}{shown} into {go_type}")


def _string(errors: _Errors, node: Any) -> str:
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == _NULL else str(node.value)
    _wrong(errors, node, "string")
    return ""


def _integer(go_type: str, least: int, most: int) -> _Decode:
    def decode(errors: _Errors, node: Any) -> int:
        number = _number(node)
        if number is None or not least <= number <= most:
            _wrong(errors, node, go_type)
            return 0
        return number

    return decode


def _number(node: Any) -> int | None:
    if not isinstance(node, yaml.ScalarNode) or node.style in ("'", '"'):
        return None
    text = node.value.replace("_", "")
    digits = text.lstrip("+-")
    old_octal = len(digits) > 1 and digits.startswith("0") and digits.isdecimal()
    try:
        return int(text, 8 if old_octal else 0)
    except ValueError:
        return None


def _boolean(errors: _Errors, node: Any) -> bool:
    plain = isinstance(node, yaml.ScalarNode) and node.style not in ("'", '"')
    if plain and node.value in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return bool(node.value.lower() == "true")
    _wrong(errors, node, "bool")
    return False


def _list(item: _Decode, go_type: str) -> _Decode:
    def decode(errors: _Errors, node: Any) -> list[Any]:
        if not isinstance(node, yaml.SequenceNode):
            _wrong(errors, node, f"[]{go_type}")
            return []
        return [item(errors, entry) for entry in node.value]

    return decode


def _string_map(errors: _Errors, node: Any) -> dict[str, str]:
    if not isinstance(node, yaml.MappingNode):
        _wrong(errors, node, "map[string]string")
        return {}
    _repeated(errors, node)
    return {_string(errors, key): _string(errors, value) for key, value in node.value}


def _struct(go_type: str, fields: Mapping[str, _Decode]) -> _Decode:
    def decode(errors: _Errors, node: Any) -> dict[str, Any]:
        if not isinstance(node, yaml.MappingNode):
            _wrong(errors, node, go_type)
            return {}
        _repeated(errors, node)
        return _fields(errors, node, go_type, fields)

    return decode


def _fields(errors: _Errors, node: Any, go_type: str, fields: Mapping[str, _Decode]) -> dict[str, Any]:
    decoded = {}
    for key, value in node.value:
        if key.value not in fields:
            errors.add(key, f"field {key.value} not found in type {go_type}")
        elif value.tag != _NULL:  # null leaves a field as it was: unset
            decoded[key.value] = fields[key.value](errors, value)
    return decoded


def _repeated(errors: _Errors, node: Any) -> None:
    seen: dict[str, int] = {}
    for key, _ in node.value:
        if key.value in seen:
            errors.add(key, f'mapping key "{key.value}" already defined at line {seen[key.value]}')
        seen[key.value] = key.start_mark.line + 1


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
        "enableMonitoring": _boolean,
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


def decode_spec(text: str) -> dict[str, Any] | None:
    """The first document of a spec file, with the field names of the file; None when it is null.

    Raises CdiError with the library's text when it is not well-formed or does not fit the spec's types.
    """
    try:
        loader = _Loader(text)
        try:
            node = loader.get_node() if loader.check_node() else None
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError) as error:
        first = " ".join(str(error).split())
        raise CdiError(f"failed to unmarshal CDI Spec: yaml: {first}") from None
    if node is None:
        raise CdiError("failed to unmarshal CDI Spec: EOF")
    if node.tag == _NULL:
        return None
    errors = _Errors()
    spec: dict[str, Any] = _SPEC(errors, node)
    if errors.lines:
        lines = "".join(f"\n  {line}" for line in errors.lines)
        raise CdiError(f"failed to unmarshal CDI Spec: yaml: unmarshal errors:{lines}")
    return spec
