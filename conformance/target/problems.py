"""What is wrong with a driver file, in one sentence: what, where, what to do."""

import difflib
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from conformance.target.model import DriverFile

Path = tuple[int | str, ...]

_MOST = 50  # problems that are told of; a file with more is none that somebody mends line by line


class TargetError(Exception):
    """The driver file cannot be used; the text is one sentence a problem, for its author. A usage error: status 4."""


_WANTED = {
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
    "model_attributes_type": "a map",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "enum": "one of {expected}",
    "literal_error": "one of {expected}",
    "too_short": "at least {min_length} entry",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le:g}",
    "string_too_short": "a text that is not empty",
    "string_too_long": "at most {max_length} characters",
    "string_pattern_mismatch": "a DNS name",
}


def problems(error: ValidationError, data: Any, of: type[BaseModel] = DriverFile) -> list[tuple[Path, str]]:
    """Each problem that pydantic found in the data of a file: where, and a sentence. `of`: what the file is to be."""
    found: dict[Path, str] = {}
    for details in error.errors(include_url=False)[:_MOST]:
        path = _real(details["loc"], data)
        found.setdefault(path, _sentence(details, path, of))
    # A key that is missing because it was mistyped is one problem, not two.
    suggested = " ".join(text for text in found.values() if text.startswith("unknown key"))
    mistyped = {path for path, text in found.items() if text == _missing(path) and f"mean {show(path)}?" in suggested}
    return [(path, text) for path, text in found.items() if path not in mistyped]


def show(path: Path) -> str:
    """A path the way an author reads it: `drivers[0].name`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".") or "the file"


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?` for the most similar known name, or nothing when none is similar."""
    match = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {match[0]}?" if match else ""


def every_key() -> list[str]:
    """The path of every key that a driver file may have, such as `drivers[0].name`."""
    return list(_all_keys(DriverFile))


def _real(loc: Path, data: Any) -> Path:
    """The location without what pydantic adds for the members of a union."""
    path: list[int | str] = []
    for part in loc:
        if isinstance(data, list) and isinstance(part, int):
            data = data[part]
        elif isinstance(data, dict):
            data = data.get(part)
        else:
            break
        path.append(part)
    return tuple(path)


def _sentence(details: ErrorDetails, path: Path, of: type[BaseModel]) -> str:
    kind = details["type"]
    if kind == "extra_forbidden":
        return _unknown_key(path, of)
    if kind == "missing":
        return _missing(path)
    wanted = _WANTED.get(kind, details["msg"])
    context = {key: _spell(value) if key == "expected" else value for key, value in details.get("ctx", {}).items()}
    hint = _hint(details["input"], kind, str(details.get("ctx", {}).get("expected", "")))
    return f"{show(path)} is {_got(details['input'])}, but {wanted.format(**context)} is wanted{hint}"


def _missing(path: Path) -> str:
    return f"{show(path)} is missing; add it"


def _spell(expected: object) -> str:
    return str(expected).replace("'", "").replace(" or ", ", ")


def _hint(got: Any, kind: str, expected: str) -> str:
    if kind == "string_type" and isinstance(got, bool | int | float):
        return "; put it in quotes"
    if kind == "list_type" and isinstance(got, str):
        return "; write each part as an entry of a list, as there is no shell"
    return nearest(got, _spell(expected).split(", ")) if expected and isinstance(got, str) else ""


def _got(value: Any) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return f"the truth value {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {value!r}"
        case list():
            return "a list" if value else "an empty list"
    return "a map"


def _unknown_key(path: Path, of: type[BaseModel]) -> str:
    *above, last = path
    known = [show((*above, key)) for key in _keys(tuple(above), of)]
    here = show(path)
    hint = nearest(here, known) if _similar(str(last), known) else _elsewhere(str(last), of)
    return f"unknown key {here}{hint or '; known here are ' + ', '.join(known)}"


def _similar(last: str, known: Iterable[str]) -> bool:
    return bool(difflib.get_close_matches(last, [name.rpartition(".")[2] for name in known], n=1, cutoff=0.6))


def _elsewhere(key: str, of: type[BaseModel]) -> str:
    places = [path for path in _all_keys(of) if path.rpartition(".")[2] == key]
    return f"; it belongs at {' or '.join(places)}" if places else ""


def _all_keys(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for field in model.model_fields.values():
        path = f"{above}{field.alias}"
        yield path
        inner, is_list = _model_in(field.annotation)
        if inner:
            yield from _all_keys(inner, f"{path}[0]." if is_list else f"{path}.")


def _keys(path: Path, of: type[BaseModel]) -> list[str]:
    model: type[BaseModel] | None = of
    for part in path:
        if isinstance(part, str) and model:
            model = next((_model_in(f.annotation)[0] for f in model.model_fields.values() if f.alias == part), None)
    return [str(field.alias) for field in model.model_fields.values()] if model else []


def _model_in(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    """The model inside a field's type (Model, Model | None, list[Model]), and whether it is in a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    for inner in get_args(annotation):
        model, _ = _model_in(inner)
        if model:
            return model, getattr(annotation, "__origin__", None) is list
    return None, False
