"""Rules of ConfigMap and Secret: what their keys are, how much they hold, what stays."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import formats, rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, forbidden, invalid, required, too_long
from conformance.cluster.embedded.apiserver.podrules.words import config_key
from conformance.cluster.embedded.apiserver.write import Write

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_MOST_BYTES = 1024 * 1024
_WHOLE = "[]"  # the field that stands for the whole object
_FIXED = "field is immutable when `immutable` is set"
_ACCOUNT = "kubernetes.io/service-account.name"
_JSONS = {"kubernetes.io/dockercfg": ".dockercfg", "kubernetes.io/dockerconfigjson": ".dockerconfigjson"}


def validate_config_map(write: Write) -> Sequence[FieldError]:
    """Texts and bytes by keys, none in both; at most a mebibyte of them."""
    new = write.new
    errors, texts, binary = list(rules.metadata(new)), new.get("data") or {}, new.get("binaryData") or {}
    for key in texts:
        errors += formats.each(config_key(key), f"data[{key}]", key)
        if key in binary:
            errors.append(invalid(f"data[{key}]", key, "duplicate of key present in binaryData"))
    for key in binary:
        errors += formats.each(config_key(key), f"binaryData[{key}]", key)
    size = sum(len(text.encode()) for text in texts.values()) + _size(binary)
    if size > _MOST_BYTES:
        errors.append(too_long(_WHOLE, _MOST_BYTES))
    return [*errors, *_kept(new, write.old, ("data", "binaryData"))]


def validate_secret(write: Write) -> Sequence[FieldError]:
    """Bytes by keys, at most a mebibyte of them; what its type says has to be there."""
    new, content = write.new, write.new.get("data") or {}
    errors = list(rules.metadata(new))
    for key in content:
        errors += formats.each(config_key(key), f"data[{key}]", key)
    if _size(content) > _MOST_BYTES:
        errors.append(too_long("data", _MOST_BYTES))
    errors += _typed(new, content)
    if write.old is not None and new["type"] != write.old["type"]:
        errors.append(invalid("type", new["type"], rules.IMMUTABLE))
    return [*errors, *_kept(new, write.old, ("data",))]


def _size(content: Mapping[str, str]) -> int:
    return sum(len(base64.b64decode(value)) for value in content.values())


def _typed(secret: Row, content: Mapping[str, str]) -> Errors:
    kind, account = secret["type"], (secret["metadata"].get("annotations") or {}).get(_ACCOUNT)
    if kind == "kubernetes.io/service-account-token" and not account:
        yield required(f"metadata.annotations[{_ACCOUNT}]")
    if kind in _JSONS:
        yield from _json(content.get(_JSONS[kind]), f"data[{_JSONS[kind]}]")
    needed: tuple[str, ...] = ()
    if kind == "kubernetes.io/basic-auth" and not {"username", "password"} & set(content):
        needed = "username", "password"
    elif kind == "kubernetes.io/ssh-auth" and not content.get("ssh-privatekey"):
        needed = ("ssh-privatekey",)
    elif kind == "kubernetes.io/tls":
        needed = tuple(key for key in ("tls.crt", "tls.key") if key not in content)
    yield from (required(f"data[{key}]") for key in needed)


def _json(value: str | None, field: str) -> Errors:
    if value is None:
        yield required(field)
        return
    try:
        found = json.loads(base64.b64decode(value))
    except ValueError as error:
        found = str(error)
    if not isinstance(found, dict | None):
        yield invalid(field, "<secret contents redacted>", str(found))


def _kept(new: Row, old: Row | None, keys: Sequence[str]) -> Errors:
    if not (old or {}).get("immutable"):
        return
    if not new.get("immutable"):
        yield forbidden("immutable", _FIXED)
    for key in keys:
        if (new.get(key) or {}) != ((old or {}).get(key) or {}):
            yield forbidden(key, _FIXED)
