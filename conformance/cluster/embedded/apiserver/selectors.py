"""Label and field selectors (k8s.io/apimachinery/pkg/labels, …/fields)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.apiserver.objects import Object, dig
from conformance.cluster.embedded.apiserver.status import bad_request

Test = Callable[[str | None], bool]

_SET = re.compile(r"^\s*(\S+)\s+(in|notin)\s*\(([^)]*)\)\s*$")
_EQUALITY = re.compile(r"^\s*([^!=\s]+)\s*(==|!=|=)\s*(.*?)\s*$")
_PRESENCE = re.compile(r"^\s*(!?)\s*([^!=\s()]+)\s*$")
_SEPARATOR = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True)
class Selection:
    """Which objects of a collection are meant: a namespace ("" for all), labels and fields."""

    namespace: str = ""
    labels: tuple[tuple[str, Test], ...] = ()
    fields: tuple[tuple[str, str, bool], ...] = ()

    @property
    def everything(self) -> bool:
        """Whether it lets every object through."""
        return not (self.namespace or self.labels or self.fields)

    def matches(self, obj: Object) -> bool:
        """Whether the object is one of those meant."""
        meta: Mapping[str, Any] = obj["metadata"]
        if self.namespace and meta.get("namespace") != self.namespace:
            return False
        if any((_text(dig(obj, path)) == value) != wanted for path, value, wanted in self.fields):
            return False
        labels = meta.get("labels") or {}
        return all(test(labels.get(key)) for key, test in self.labels)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def select(namespace: str | None, labels: str, fields: str, selectable: Sequence[str]) -> Selection:
    """A selection from selector texts. Raises BadRequest for a text or a field that is not supported."""
    return Selection(namespace or "", _labels(labels), _fields(fields, selectable))


def _labels(text: str) -> tuple[tuple[str, Test], ...]:
    return tuple(_label(part) for part in _SEPARATOR.split(text) if part.strip())


def _label(part: str) -> tuple[str, Test]:
    if found := _SET.match(part):
        values = {value.strip() for value in found[3].split(",")}
        return found[1], (lambda v: v in values) if found[2] == "in" else (lambda v: v not in values)
    if found := _EQUALITY.match(part):
        value = found[3]
        return found[1], (lambda v: v != value) if found[2] == "!=" else (lambda v: v == value)
    if found := _PRESENCE.match(part):
        return found[2], (lambda v: v is None) if found[1] else (lambda v: v is not None)
    raise bad_request(f"unable to parse requirement: {part!r}")


def _fields(text: str, selectable: Sequence[str]) -> tuple[tuple[str, str, bool], ...]:
    return tuple(_field(part, selectable) for part in text.split(",") if part.strip())


def _field(part: str, selectable: Sequence[str]) -> tuple[str, str, bool]:
    found = _EQUALITY.match(part)
    if not found:
        raise bad_request(f"invalid selector: {part!r}; can't understand {part!r}")
    if found[1] not in selectable:
        raise bad_request(f'field label not supported: "{found[1]}"')
    return found[1], found[3], found[2] != "!="
