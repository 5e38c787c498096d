"""Kubernetes' types, read from kubernetes.txt, which proto/kubernetes_types.py writes.

A line without indent names a struct: the version of its API group, and its name in Go. The lines below it are its
fields: name in JSON, number in protobuf, type, words. The field `-` is part of the struct around it.

    *T, []T, {}T    a pointer, a list, a map from strings
    always          written out even when it is empty
    required        has to be given
    set, map=A+B    a list whose items are told apart: by their value, by these fields
    atomic          a list, map or struct that is owned and replaced as a whole
    merge=A         strategic merge patches merge the list by this field, or by values when none is named
    enum=A|B        the values that there are
    default=A       what is taken for an item's key that is not given
    go=T            the name of the type in Go
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources

_BEGINS = re.compile(r"\n(?! )")
_LEAVES = {
    *("string", "bool", "int32", "int64", "bytes", "quantity"),
    *("time", "microtime", "raw", "fields", "intstr"),
}


@dataclass(frozen=True)
class Field:
    """One field. `kind` is its type without pointers: `[]…`, `{}…`, a leaf such as "string", or a struct's name.

    keys: the fields that tell items of a list apart, () for a set, None for a list that is replaced as a whole.
    merge: the same for strategic merge patches.
    """

    name: str
    number: int
    kind: str
    pointer: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def inline(self) -> bool:
        """Whether its fields belong to the struct around it."""
        return self.name == "-"

    @property
    def atomic(self) -> bool:
        """Whether it is owned as a whole."""
        return "atomic" in self.words or (self.struct is not None and struct_of(self.struct).atomic)

    @cached_property
    def keys(self) -> tuple[str, ...] | None:
        """What tells the items of a list apart, None for one that is replaced as a whole."""
        if "set" in self.words:
            return ()
        return tuple(self.words["map"].split("+")) if "map" in self.words else None

    @cached_property
    def merge(self) -> tuple[str, ...] | None:
        """The same in strategic merge patches."""
        key = self.words.get("merge")
        return None if key is None else (key,) if key else ()

    @property
    def is_list(self) -> bool:
        """Whether it is a list; bytes are a string."""
        return self.kind.startswith("[]")

    @property
    def is_map(self) -> bool:
        """Whether it is a map from strings."""
        return self.kind.startswith("{}")

    @cached_property
    def item(self) -> "Field":
        """What a list or a map holds."""
        rest = self.kind[2:]
        return Field("", 0, rest.lstrip("*"), rest.startswith("*"))

    @property
    def struct(self) -> str | None:
        """The name of the struct that it is, None for all else."""
        return None if self.kind in _LEAVES or self.is_list or self.is_map else self.kind


@dataclass(frozen=True)
class Struct:
    """A struct: the version of its group, its name, and its fields, those of parts that are inline among them."""

    version: str
    name: str
    atomic: bool
    rows: tuple[Field, ...]

    @property
    def full_name(self) -> str:
        """Version and name, such as v1.Pod."""
        return f"{self.version}.{self.name}"

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """All fields by their names in JSON."""
        found: dict[str, Field] = {}
        for row in self.rows:
            if row.inline:
                found |= struct_of(row.kind).fields
            else:
                found[row.name] = row
        return found

    @cached_property
    def numbers(self) -> Mapping[int, Field]:
        """The fields of the protobuf message."""
        return {row.number: row for row in self.rows}


def struct_of(name: str) -> Struct:
    """A struct by its full name, such as v1.Pod."""
    return _structs()[name]


def find_struct(api_version: str, kind: str) -> Struct | None:
    """The struct of a kind of objects; all groups have DeleteOptions. None for one that is not in the table."""
    if kind == "DeleteOptions":
        api_version = "meta/v1"
    return _structs().get(f"{api_version}.{kind}")


@cache
def _structs() -> Mapping[str, Struct]:
    text = resources.files(__package__).joinpath("kubernetes.txt").read_text(encoding="utf-8")
    return {struct.full_name: struct for struct in map(_struct, _BEGINS.split(text.strip()))}


def _struct(paragraph: str) -> Struct:
    head, *lines = paragraph.splitlines()
    name, *words = head.split()
    version, _, short = name.rpartition(".")
    return Struct(version, short, "atomic" in words, tuple(map(_field, lines)))


def _field(line: str) -> Field:
    name, number, kind, *words = line.split()
    pairs = (word.partition("=") for word in words)
    return Field(name, int(number), kind.lstrip("*"), kind.startswith("*"), {key: value for key, _, value in pairs})
