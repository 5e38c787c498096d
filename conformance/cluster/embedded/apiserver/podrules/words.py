"""What the rules of pods are written with: rows, paths of files, names of ports, keys, users, and texts."""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

MOST_INT32 = 2**31 - 1
NOT_NEGATIVE = "must be greater than or equal to 0"
_CONFIG_KEY = re.compile(r"[-._a-zA-Z0-9]+")
_CONFIG_KEY_TEXT = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
_PORT_NAME, _LETTER = re.compile("[-a-z0-9]+"), re.compile("[a-z]")
_KEY_BYTES, _PORT_NAME_BYTES, _LAST_PORT = 253, 15, 65535


def between(least: int, most: int) -> str:
    """What is said of a number that is not between two others."""
    return f"must be between {least} and {most}, inclusive"


def not_negative(row: Row, key: str, field: str) -> Errors:
    """A number that is not negative."""
    if row.get(key, 0) < 0:
        yield invalid(f"{field}.{key}", row[key], NOT_NEGATIVE)


def numbered(row: Row, key: str, field: str) -> Errors:
    """A user's or a group's number, where one is given."""
    if not 0 <= row.get(key, 0) <= MOST_INT32:
        yield invalid(f"{field}.{key}", row[key], between(0, MOST_INT32))


def port(number: int) -> Iterator[str]:
    """What keeps a number from being a port's."""
    if not 1 <= number <= _LAST_PORT:
        yield between(1, _LAST_PORT)


def port_name(value: str) -> Iterator[str]:
    """What keeps a text from being a port's name."""
    if len(value.encode()) > _PORT_NAME_BYTES:
        yield f"must be no more than {_PORT_NAME_BYTES} characters"
    if not _PORT_NAME.fullmatch(value):
        yield "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
    if not _LETTER.search(value):
        yield "must contain at least one letter (a-z)"
    if "--" in value:
        yield "must not contain consecutive hyphens"
    if value.startswith("-") or value.endswith("-"):
        yield "must not begin or end with a hyphen"


def config_key(value: str) -> Iterator[str]:
    """What keeps a text from being a key of a ConfigMap or a Secret."""
    if len(value.encode()) > _KEY_BYTES:
        yield f"must be no more than {_KEY_BYTES} characters"
    if not _CONFIG_KEY.fullmatch(value):
        examples = "e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
        yield f"{_CONFIG_KEY_TEXT} ({examples} '{_CONFIG_KEY.pattern}')"
    if value in (".", ".."):
        yield f"must not be '{value}'"
    elif value.startswith(".."):
        yield "must not start with '..'"


def no_backsteps(path: str, field: str) -> Errors:
    """A path that does not go up."""
    if ".." in path.split("/"):
        yield invalid(field, path, "must not contain '..'")


def descending(path: str, field: str) -> Errors:
    """A relative path that does not go up."""
    if path.startswith("/"):
        yield invalid(field, path, "must be a relative path")
    yield from no_backsteps(path, field)


def local_path(path: str, field: str) -> Errors:
    """A relative path that does not even look as if it went up."""
    yield from descending(path, field)
    if path.startswith("..") and not path.startswith("../"):
        yield invalid(field, path, "must not start with '..'")


def address(value: str, field: str) -> Errors:
    """An IP address, in no form that some programs read otherwise than others."""
    found = parsed(value)
    if found is None:
        yield invalid(field, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")
    elif "." in value and ":" not in value and value != str(found):
        yield invalid(field, value, "must not have leading 0s")
    elif found.version == 6 and found.ipv4_mapped is not None:
        yield invalid(field, value, "must not be an IPv4-mapped IPv6 address")


def parsed(value: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a text stands for, None for none; zeros before a number count for nothing."""
    try:
        return ipaddress.ip_address(".".join(part.lstrip("0") or part[-1:] for part in value.split(".")))
    except ValueError:
        return None


def label_selector(selector: Row, field: str) -> Errors:
    """A metav1.LabelSelector."""
    yield from labels(selector.get("matchLabels") or {}, f"{field}.matchLabels")
    for index, row in enumerate(selector.get("matchExpressions") or []):
        place, operator, values = f"{field}.matchExpressions[{index}]", row.get("operator", ""), row.get("values") or []
        if operator in ("In", "NotIn") and not values:
            yield FieldError(
                "FieldValueRequired", f"{place}.values", "", "must be specified when `operator` is 'In' or 'NotIn'"
            )
        elif operator in ("Exists", "DoesNotExist") and values:
            why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            yield FieldError("FieldValueForbidden", f"{place}.values", "", why)
        elif operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            yield invalid(f"{place}.operator", operator, "not a valid selector operator")
        yield from formats.each(formats.label_key(row.get("key", "")), f"{place}.key", row.get("key", ""))
        for number, value in enumerate(values):
            yield from formats.each(formats.label_value(value), f"{place}.values[{number}]", value)


def labels(rows: Mapping[str, str], field: str) -> Errors:
    """Keys and values of labels."""
    for key, value in rows.items():
        yield from formats.each(formats.label_key(key), field, key)
        yield from formats.each(formats.label_value(value), field, value)
