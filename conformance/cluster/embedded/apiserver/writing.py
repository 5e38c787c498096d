"""Objects as Go's encoder writes them, by the table of types: the form in which they are stored and shown.

What is empty and optional is left out, what is always written is filled in, quantities are in canonical form.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from conformance.cluster.embedded.apiserver import quantities
from conformance.cluster.embedded.apiserver.types import Field, struct_of

Emit = Callable[[Any], Any]

_LEFT_OUT = object()
_ZERO_TIME = "0001-01-01T00:00:00Z"
_TIMES = ("time", "microtime")


def write(struct: str, obj: Mapping[str, Any], *, given: bool = False) -> dict[str, Any]:
    """A copy of an object of a type (such as "v1.Pod") in the stored form.

    `given`: an empty list that is always written is one still, as a writer gave it; it is stored as none.
    """
    found = _writer_of(struct, given)(obj)
    return {**{key: obj[key] for key in ("apiVersion", "kind") if key in obj}, **found}


@cache
def _writer_of(struct: str, given: bool) -> Emit:
    """Made when it is first needed, as structs can hold themselves."""
    fields = struct_of(struct).fields
    rows = [(name, _emitter(row, given)) for name, row in fields.items()]
    # The year 1 is written as null, and stays it.
    times = {name for name, row in fields.items() if row.kind in _TIMES and row.pointer}

    def write_struct(value: Any) -> Any:
        found = {}
        for name, emit in rows:
            item = emit(value.get(name))
            if item is not _LEFT_OUT:
                found[name] = item
            elif name in times and name in value:
                found[name] = None
        return found

    return write_struct


def _emitter(row: Field, given: bool) -> Emit:
    """What becomes of a field's value, None standing for no value."""
    # Go's omitempty does not leave out structs, which times are.
    written = "always" in row.words or (row.kind in _TIMES and not row.pointer and "omitzero" not in row.words)
    convert, nothing = _converter(row, given), None if written else _LEFT_OUT
    if row.pointer or row.is_list or row.is_map or row.kind in (*_TIMES, "raw", "fields", "bytes"):
        keeps_empty = row.pointer or row.kind == "raw" or (given and written and row.is_list)

        def emit(value: Any) -> Any:
            return nothing if value is None or not (value or keeps_empty) else convert(value)

        return emit
    if row.struct is not None:
        return lambda value: convert({} if value is None else value)
    zero = {"string": "", "bool": False, "quantity": "0"}.get(row.kind, 0)
    if "always" in row.words or row.kind == "quantity":
        return lambda value: convert(zero if value is None else value)
    return lambda value: convert(value) if value else _LEFT_OUT


def _converter(row: Field, given: bool) -> Emit:
    """The written form of a value that is there."""
    if row.is_list:
        item = _converter(row.item, given)
        return lambda value: [item(each) for each in value]
    if row.is_map:
        item = _converter(row.item, given)
        return lambda value: {key: item(each) for key, each in value.items()}
    if row.struct is not None:
        name = row.struct
        return lambda value: _writer_of(name, given)(value)
    if row.kind == "quantity":
        return quantities.canonical
    if row.kind in _TIMES:
        return lambda value: None if value == _ZERO_TIME else value
    return _same


def _same(value: Any) -> Any:
    return value
