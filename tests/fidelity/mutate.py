"""Changes to an example object, drawn from a table: for every field values that are valid, at the limit and past it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tests.fidelity.model import Draw

Path = tuple[str | int, ...]
Table = Mapping[str, Sequence[Any]]
"""Values for fields, each by its dotted path; a function makes one from the old value.

In a path `*` stands for every key or index.
"""

REMOVE = object()
"""Stands for a field that is not there."""

GENERIC: tuple[Any, ...] = (
    REMOVE,
    None,
    "",
    7,
    0,
    -1,
    1.5,
    True,
    False,
    "text",
    [],
    {},
    [1],
    ["x"],
    {"x": 1},
    {"x": "y"},
)
_PLAIN_SHARE = 0.3  # of the changes are what could be wrong with any field
_UNKNOWN_SHARE = 0.03


def mutated(draw: Draw, example: Any, table: Table, at_most: int = 3) -> tuple[Any, str]:
    """A changed copy, and what was changed: mostly one field, at times more, rarely none."""
    obj = json.loads(json.dumps(example))
    count = draw.random.choices(range(at_most + 1), weights=[1, 14, 4, 1][: at_most + 1])[0]
    said = [_change(draw, obj, table) for _ in range(count)]
    return obj, "; ".join(said) or "as it is"


def _change(draw: Draw, obj: Any, table: Table) -> str:
    if draw.chance(_UNKNOWN_SHARE):
        path = draw.random.choice(list(_containers(obj)))
        put(obj, (*path, "unknownField"), 1)
        return f"{show(path)}: an unknown field"
    pattern = draw.random.choice(list(table))
    paths = list(matching(obj, pattern))
    if not paths:
        return f"{pattern}: nowhere"
    path = draw.random.choice(paths)
    values = table[pattern]
    plain = not values or draw.chance(_PLAIN_SHARE)
    value = draw.random.choice(GENERIC if plain else values)
    if callable(value):
        value = value(find(obj, path))
    put(obj, path, value if value is REMOVE else json.loads(json.dumps(value)))
    return f"{show(path)} = {'nothing' if value is REMOVE else _short(value)}"


def matching(obj: Any, pattern: str) -> Iterator[Path]:
    """The paths in an object that a pattern means; the last key need not be there."""
    parts = pattern.split(".")

    def walk(value: Any, rest: Sequence[str], path: Path) -> Iterator[Path]:
        if not rest:
            yield path
        elif rest[0] == "*":
            for key, item in _items(value):
                yield from walk(item, rest[1:], (*path, key))
        elif isinstance(value, dict) and (rest[0] in value or len(rest) == 1):
            yield from walk(value.get(rest[0]), rest[1:], (*path, rest[0]))
        elif isinstance(value, list) and rest[0].isdecimal() and int(rest[0]) < len(value):
            yield from walk(value[int(rest[0])], rest[1:], (*path, int(rest[0])))

    return walk(obj, parts, ())


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _containers(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        yield path
    for key, item in _items(value):
        yield from _containers(item, (*path, key))


def find(obj: Any, path: Path) -> Any:
    """What is there, None for nothing."""
    for key in path:
        try:
            obj = obj[key]
        except (KeyError, IndexError, TypeError):
            return None
    return obj


def put(obj: Any, path: Path, value: Any) -> None:
    """Set or remove what is there; nothing happens where the parent is no longer there."""
    parent = find(obj, path[:-1])
    if isinstance(parent, list) and int(path[-1]) >= len(parent):
        return
    if value is REMOVE:
        if isinstance(parent, list):
            del parent[int(path[-1])]
        elif isinstance(parent, dict):
            parent.pop(path[-1], None)
    elif isinstance(parent, dict):
        parent[path[-1]] = value
    elif isinstance(parent, list):
        parent[int(path[-1])] = value


def show(path: Path) -> str:
    """A path to read."""
    return ".".join(map(str, path)) or "the object"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:60]}… ({len(text)} bytes)"


def many(count: int, make: Callable[[int], Any]) -> list[Any]:
    """A list of `count` items."""
    return [make(index) for index in range(count)]


def keyed(count: int, value: Any, key: str = "k{}") -> dict[str, Any]:
    """A map of `count` keys with the same value."""
    return {key.format(index): value for index in range(count)}


def grown(count: int, key: str) -> Callable[[Any], Any]:
    """The list's first item `count` times, told apart by `key`."""

    def grow(old: Any) -> Any:
        if not isinstance(old, list) or not old or not isinstance(old[0], dict):
            return [{key: f"n{index}"} for index in range(count)]
        return [{**json.loads(json.dumps(old[0])), key: f"n{index}"} for index in range(count)]

    return grow


def twice(old: Any) -> Any:
    """A list with its first item once more."""
    return [*old, old[0]] if isinstance(old, list) and old else old
