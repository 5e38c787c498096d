"""Checks of what a file says, field by field; every error names the place, what is wrong and what to write."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any, str, str], None]
"""Raises InventoryError: of a value, given where it is (a file and an entry) and the name of its field."""

_QUANTITY = re.compile(r"\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)?")
_BUS_ID = re.compile(r"([0-9a-fA-F]{4,8}):([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\.0")
_CPUS = re.compile(r"(\d+(-\d+)?(,\d+(-\d+)?)*)?")
_UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, None: 1}


class InventoryError(ValueError):
    """An inventory file cannot be used; the text says which entry, why and what to do."""


def text(value: Any, where: str, name: str) -> None:
    """Any text on one line; numbers need quotes, since YAML reads 13.0 and 0000:43:00.0 as such."""
    if not isinstance(value, str):
        raise InventoryError(f"{where}: {name} must be of type str; put quotes around {value!r}")
    if not value.isprintable():
        raise InventoryError(f"{where}: {name} must be printable text on one line")


def whole(value: Any, where: str, name: str) -> None:
    """A whole number that is not negative."""
    if type(value) is not int:
        raise InventoryError(f"{where}: {name} must be of type int, not {value!r}")
    if value < 0:
        raise InventoryError(f"{where}: {name} must not be negative")


def flag(value: Any, where: str, name: str) -> None:
    """True or false."""
    if type(value) is not bool:
        raise InventoryError(f"{where}: {name} must be of type bool: true or false, not {value!r}")


def quantity(value: Any, where: str, name: str) -> None:
    """An amount of memory, such as 80Gi."""
    text(value, where, name)
    if not _QUANTITY.fullmatch(value):
        raise InventoryError(f"{where}: {name} must be a quantity such as 80Gi or 81559Mi, not {value!r}")


def bus_id(value: Any, where: str, name: str) -> None:
    """A PCI address."""
    text(value, where, name)
    if not _BUS_ID.fullmatch(value):
        raise InventoryError(f"{where}: {name} must be a PCI address such as 0000:1b:00.0, not {value!r}")


def cpus(value: Any, where: str, name: str) -> None:
    """Numbers of processors, as Linux writes them."""
    text(value, where, name)
    if not _CPUS.fullmatch(value):
        raise InventoryError(f"{where}: {name} must be a list of processors such as 0-55,112-167, not {value!r}")


def matching(pattern: str, example: str) -> Check:
    """A text of some form."""

    def check(value: Any, where: str, name: str) -> None:
        text(value, where, name)
        if not re.fullmatch(pattern, value):
            raise InventoryError(f"{where}: {name} must look like {example}, not {value!r}")

    return check


def one_of(*known: str) -> Check:
    """One of some words."""

    def check(value: Any, where: str, name: str) -> None:
        if value not in known:
            raise InventoryError(f"{where}: {name} must be one of {', '.join(known)}, not {value!r}")

    return check


def rows(of: Check) -> Check:
    """A list."""

    def check(value: Any, where: str, name: str) -> None:
        if not isinstance(value, list):
            raise InventoryError(f"{where}: {name} must be a list")
        for number, row in enumerate(value):
            of(row, where, f"{name}[{number}]")

    return check


def table(key: Check, of: Check) -> Check:
    """A map with keys of the user's own."""

    def check(value: Any, where: str, name: str) -> None:
        if not isinstance(value, dict):
            raise InventoryError(f"{where}: {name} must be a map")
        for each, row in value.items():
            key(each, where, f"key {each!r} of {name}")
            of(row, where, f"{name}[{each}]")

    return check


def record(fields: Mapping[str, Check], *needed: str) -> Check:
    """A map of known fields, some of them needed. Its own name may be empty: then its fields stand for themselves."""

    def check(value: Any, where: str, name: str) -> None:
        place = f"{where}: {name}" if name else where
        if not isinstance(value, dict):
            raise InventoryError(f"{place} must be a map")
        for each, row in value.items():
            if each not in fields:
                raise InventoryError(f"{place}: unknown field {each!r}; {_known(each, fields)}")
            fields[each](row, where, f"{name}.{each}" if name else each)
        for each in needed:
            if each not in value:
                raise InventoryError(f"{place}: {each} is missing")

    return check


def amount(value: str) -> int:
    """Bytes of a quantity that `quantity` finds right."""
    number, unit = re.fullmatch(r"([\d.]+)(\w*)", value).groups()  # type: ignore[union-attr]
    return int(float(number) * _UNITS[unit or None])


def address(value: str) -> str:
    """A PCI address as Linux writes it: lower case, a domain of four digits where that is enough."""
    found = _BUS_ID.fullmatch(value)
    assert found is not None
    return f"{int(found[1], 16):04x}:{found[2]}:{found[3]}.0".lower()


def _known(wanted: object, fields: Mapping[str, Check]) -> str:
    import difflib  # for errors only

    near = difflib.get_close_matches(str(wanted), fields, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(fields)}"
