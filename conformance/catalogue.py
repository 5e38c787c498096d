"""The catalogue of checks: every check that ships with the suite, and which requirements they cover."""

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from conformance.check import Check, header_of


class Entry(NamedTuple):
    """A check's header and its function."""

    check: Check
    function: Callable[..., Any]

    @property
    def file(self) -> Path:
        """The file that holds the function, relative to the folder that holds `conformance/`."""
        return Path(*self.function.__module__.split(".")).with_suffix(".py")

    @property
    def docstring(self) -> str:
        """What the check does, in full."""
        return (self.function.__doc__ or "").strip()


@cache
def all_checks() -> Mapping[str, Entry]:
    """Every check by id, sorted by id. Raises ValueError when two checks have the same id."""
    found: dict[str, Entry] = {}
    for entry in _entries():
        other = found.setdefault(entry.check.id, entry)
        if other is not entry:
            raise ValueError(f"{entry.file} and {other.file} both hold a check {entry.check.id!r}; give one a new id")
    return MappingProxyType(dict(sorted(found.items())))


def covering(requirement: str) -> list[Entry]:
    """The checks that cover a requirement, sorted by id."""
    return [entry for entry in all_checks().values() if requirement in entry.check.covers]


def _entries() -> list[Entry]:
    entries = []
    package = import_module("conformance.checks")
    for info in pkgutil.walk_packages(package.__path__, "conformance.checks."):
        if not info.name.rpartition(".")[2].startswith("test_"):
            continue
        for function in vars(import_module(info.name)).values():
            header = header_of(function)
            if header and function.__module__ == info.name:
                entries.append(Entry(header, function))
    return entries
