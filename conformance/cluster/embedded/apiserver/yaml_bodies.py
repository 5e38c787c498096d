"""Bodies in YAML, read as Kubernetes reads them: YAML 1.1 made JSON (sigs.k8s.io/yaml, go.yaml.in/yaml/v2)."""

import base64
import binascii
import re
from typing import Any

import yaml

from conformance.cluster.embedded.apiserver.decoding import pairs
from conformance.cluster.embedded.apiserver.status import bad_request

_PREFIX = "tag:yaml.org,2002:"
_MERGE = f"{_PREFIX}merge"
_TRUE = ("y", "yes", "on", "true")


def read_yaml(data: bytes) -> Any:
    """The first document; what comes after it is not looked at. Raises BadRequest."""
    try:
        return _Loader(data).get_data()
    except (yaml.YAMLError, ValueError) as error:
        raise bad_request(f"error converting YAML to JSON: {error}") from None


class _Loader(yaml.SafeLoader):
    """Notices keys that are there twice, leaves times as texts, and takes no offence at tags that nobody knows."""


def _mapping(loader: yaml.SafeLoader, node: yaml.Node) -> dict[str, Any]:
    rows: list[tuple[str, Any]] = []
    for key, value in node.value:
        if key.tag == _MERGE:
            # What is merged counts more than what was said before it.
            merged = _merged(loader, value)
            rows = [row for row in rows if row[0] not in merged] + list(merged.items())
        else:
            rows.append((_key(_construct(loader, key)), _construct(loader, value)))
    return pairs(rows)


def _merged(loader: yaml.SafeLoader, node: yaml.Node) -> dict[str, Any]:
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    found: dict[str, Any] = {}
    for each in reversed(nodes):
        if not isinstance(each, yaml.MappingNode):
            raise yaml.YAMLError("map merge requires map or sequence of maps as the value")
        found |= _mapping(loader, each)
    return found


def _key(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, str | int):
        raise yaml.YAMLError(f"unsupported map key of type: {type(value).__name__}")
    return str(value)


def _construct(loader: yaml.SafeLoader, node: yaml.Node) -> Any:
    return loader.construct_object(node, deep=True)


def _text(_: yaml.SafeLoader, node: yaml.Node) -> str:
    text = str(node.value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise yaml.YAMLError("found invalid Unicode character escape code") from None
    return text


def _bool(_: yaml.SafeLoader, node: yaml.Node) -> bool:
    return str(node.value).lower() in _TRUE


def _binary(_: yaml.SafeLoader, node: yaml.Node) -> str:
    try:
        return base64.b64decode("".join(str(node.value).split()), validate=True).decode(errors="replace")
    except binascii.Error:
        raise yaml.YAMLError("!!binary value contains invalid base64 data") from None


def _sequence(loader: yaml.SafeLoader, node: yaml.Node) -> list[Any]:
    return [_construct(loader, each) for each in node.value]


def _untagged(loader: yaml.SafeLoader, node: yaml.Node) -> Any:
    """A value as it is without its tag; a scalar is a text then."""
    if isinstance(node, yaml.MappingNode):
        return _mapping(loader, node)
    return _sequence(loader, node) if isinstance(node, yaml.SequenceNode) else _text(loader, node)


for _name, _constructor in (
    *(("str", _text), ("timestamp", _text), ("bool", _bool), ("binary", _binary)),
    *((name, _untagged) for name in ("map", "set", "omap", "pairs", "seq")),
):
    _Loader.add_constructor(f"{_PREFIX}{_name}", _constructor)
_Loader.add_constructor(None, _untagged)
_Loader.add_implicit_resolver(f"{_PREFIX}bool", re.compile("[yYnN]$"), list("yYnN"))
