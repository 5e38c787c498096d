"""Which objects of a collection are meant: namespace, labels and fields (k8s.io/apimachinery/pkg/fields)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.cluster.embedded.apiserver.labelselectors import SelectorError, Test, parse_labels
from conformance.cluster.embedded.apiserver.objects import Object, dig
from conformance.cluster.embedded.apiserver.status import bad_request

UNKNOWN_FIELD = "field label not supported: {}"
_OPERATORS = ("!=", "==", "=")
_BOOLEAN = ("spec.unschedulable", "spec.hostNetwork")


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
        if any((_text(obj, path) == value) != wanted for path, value, wanted in self.fields):
            return False
        labels = meta.get("labels") or {}
        return all(test(labels.get(key)) for key, test in self.labels)


def _text(obj: Object, path: str) -> str:
    value = dig(obj, path)
    if path in _BOOLEAN:
        return str(bool(value)).lower()
    return "" if value is None else str(value)


def select(
    namespace: str | None, labels: str, fields: str, selectable: Sequence[str], unknown: str = UNKNOWN_FIELD
) -> Selection:
    """A selection from selector texts. Raises BadRequest for a text or a field that is not supported.

    `unknown`: what is said of such a field, with a place for its name.
    """
    try:
        return Selection(namespace or "", parse_labels(labels), tuple(_fields(fields, selectable, unknown)))
    except SelectorError as error:
        raise bad_request(str(error)) from None


def _fields(text: str, selectable: Sequence[str], unknown: str) -> Iterator[tuple[str, str, bool]]:
    for part in filter(None, _parts(text)):
        at, operator = _split(part)
        if not operator:
            raise SelectorError(f"invalid selector: '{text}'; can't understand '{part}'")
        name, value = part[:at], _unescaped(part[at + len(operator) :])
        if name not in selectable:
            raise SelectorError(unknown.format(name))
        yield name, value, operator != "!="


def _parts(text: str) -> Iterator[str]:
    """What is between commas that are not escaped."""
    part, escaped = "", False
    for character in text:
        if character == "," and not escaped:
            yield part
            part = ""
            continue
        escaped = character == "\\" and not escaped
        part += character
    yield part


def _split(part: str) -> tuple[int, str]:
    """Where the first operator is, and which; an empty one where there is none."""
    for at in range(len(part)):
        found = next((each for each in _OPERATORS if part.startswith(each, at)), "")
        if found:
            return at, found
    return len(part), ""


def _unescaped(value: str) -> str:
    found, escaped = "", False
    for character in value:
        if escaped:
            if character not in "\\,=":
                raise SelectorError(f"invalid field selector: invalid escape sequence: \\{character}")
            found, escaped = found + character, False
        elif character == "\\":
            escaped = True
        elif character in ",=":
            raise SelectorError(f"invalid field selector: unescaped character in value: {character}")
        else:
            found += character
    if escaped:
        raise SelectorError("invalid field selector: invalid escape sequence: \\")
    return found
