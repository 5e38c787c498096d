"""CEL expressions about a driver's own devices, for claims that are made up."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.cluster.embedded.scheduler import quantity

Object = dict[str, Any]

# CEL keeps some words for itself, and takes only identifiers after a dot.
_RESERVED = {
    *("as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop"),
    *("package", "namespace", "null", "return", "true", "var", "void", "while"),
}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def expressions(driver: str, devices: Sequence[Object]) -> list[str]:
    """Conditions that can be asked of each of the devices without an error: they read only what all of them have."""
    found = [f'device.driver == "{driver}"']
    for path, values in _common(driver, devices, "attributes"):
        kinds = {kind for value in values for kind in value}
        if len(kinds) == 1 and (form := _FORMS.get(kinds.pop())):
            found += form(path, sorted({next(iter(value.values())) for value in values}))
    for path, values in _common(driver, devices, "capacity"):
        amounts = sorted({str(value["value"]) for value in values}, key=quantity.parse)
        found += [f'{path}.compareTo(quantity("{amount}")) >= 0' for amount in amounts]
    return found


def common_attributes(driver: str, devices: Sequence[Object]) -> list[str]:
    """Fully qualified names of the attributes that all devices have, as in matchAttribute of a constraint."""
    names = [set(device.get("attributes") or {}) for device in devices]
    return sorted(name if "/" in name else f"{driver}/{name}" for name in set.intersection(*names)) if names else []


def _common(driver: str, devices: Sequence[Object], section: str) -> Iterator[tuple[str, list[Object]]]:
    """What all devices have in a section, as (CEL path, values)."""
    for name in devices[0].get(section) or {} if devices else ():
        domain, _, identifier = name.rpartition("/")
        values = [(device.get(section) or {}).get(name) for device in devices]
        if None not in values and _IDENTIFIER.fullmatch(identifier) and identifier not in _RESERVED:
            yield f'device.{section}["{domain or driver}"].{identifier}', [value for value in values if value]


def _of_numbers(path: str, values: Sequence[int]) -> list[str]:
    return [f"{path} {operator} {value}" for value in values for operator in ("==", "!=", "<=", ">=")]


def _of_texts(path: str, values: Sequence[str]) -> list[str]:
    found = [f"{path} {operator} {json.dumps(value)}" for value in values for operator in ("==", "!=")]
    found += [f"{path}.startsWith({json.dumps(value[:3])})" for value in values]
    return [*found, f"{path} in {json.dumps(list(values[:3]))}"]


def _of_truths(path: str, values: Sequence[bool]) -> list[str]:  # noqa: ARG001 - both can be asked
    return [path, f"!{path}"]


def _of_versions(path: str, values: Sequence[str]) -> list[str]:
    return [f"{path}.compareTo(semver({json.dumps(value)})) >= 0" for value in values]


_FORMS: dict[str, Callable[[str, Any], list[str]]] = {
    "int": _of_numbers,
    "string": _of_texts,
    "bool": _of_truths,
    "version": _of_versions,
}
