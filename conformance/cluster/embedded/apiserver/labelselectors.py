"""Label selectors, read as k8s.io/apimachinery/pkg/labels reads them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver import formats

Test = Callable[[str | None], bool]

_TOKEN = re.compile(r"[ \t\r\n]*([=!(),<>]+|[^ \t\r\n=!(),<>]+|$)")
_SYMBOLS = ("==", "!=", "=", "!", "(", ")", ",", ">", "<")
_WORDS = ("in", "notin")
_EXACT = ("=", "==", "!=", ">", "<")
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)


class SelectorError(ValueError):
    """A text that is no selector."""


@dataclass(frozen=True)
class _Token:
    """A symbol, a name, or the end (an empty text)."""

    text: str
    symbol: bool

    @property
    def name(self) -> bool:
        """Whether it can be a key or a value."""
        return not self.symbol and bool(self.text)


def parse_labels(text: str) -> tuple[tuple[str, Test], ...]:
    """The keys with what their values have to be. Raises SelectorError."""
    return tuple(_Parser(list(_tokens(text))).requirements())


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None
        at, found = match.end(), match[1]
        if not found or found[0] not in "=!(),<>":
            if found:
                yield _Token(found, False)
            continue
        while found:
            symbol = next(each for each in _SYMBOLS if found.startswith(each))
            yield _Token(symbol, True)
            found = found[len(symbol) :]
    yield _Token("", False)


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def requirements(self) -> Iterator[tuple[str, Test]]:
        """One after the other."""
        while True:
            first = self._next()
            if not first.text:
                return
            if not first.name and first.text != "!":
                raise SelectorError(f"found '{first.text}', expected: !, identifier, or 'end of string'")
            try:
                found = self._requirement()
            except SelectorError as error:
                raise SelectorError(f"unable to parse requirement: {error}") from None
            yield found
            after = self._take()
            if not after.text:
                return
            if after.text != ",":
                raise SelectorError(f"found '{after.text}', expected: ',' or 'end of string'")
            then = self._next()
            if not then.name and then.text != "!":
                raise SelectorError(f"found '{then.text}', expected: identifier after ','")

    def _next(self) -> _Token:
        return self._tokens[min(self._at, len(self._tokens) - 1)]

    def _take(self) -> _Token:
        token = self._next()
        self._at += 1
        return token

    def _requirement(self) -> tuple[str, Test]:
        token = self._take()
        absent = token == _Token("!", True)
        if absent:
            token = self._take()
        if not token.name:
            raise SelectorError(f"found '{token.text}', expected: identifier")
        key = token.text
        _check(f"key: Invalid value: {key!r}", formats.label_key(key))
        if absent:
            return key, lambda value: value is None
        if self._next() in (_Token("", False), _Token(",", True)):
            return key, lambda value: value is not None
        return key, self._comparison()

    def _comparison(self) -> Test:
        operator = self._take().text
        if operator in _WORDS:
            values = self._values()
        elif operator in _EXACT:
            values = {self._exact()}
        else:
            wanted = "in, notin, =, ==, !=, gt, lt"
            raise SelectorError(f"found '{operator}', expected: {wanted}")
        if operator in "<>" and not all(_INTEGER.fullmatch(value) for value in values):
            raise SelectorError("values[0]: for 'Gt', 'Lt' operators, the value must be an integer")
        for value in values:
            _check(f"values: Invalid value: {value!r}", formats.label_value(value))
        return _test(operator, values)

    def _exact(self) -> str:
        if self._next() in (_Token("", False), _Token(",", True)):
            return ""
        token = self._take()
        if not token.name:
            raise SelectorError(f"found '{token.text}', expected: identifier")
        return token.text

    def _values(self) -> set[str]:
        token = self._take()
        if token.text != "(":
            raise SelectorError(f"found '{token.text}' expected: '('")
        if self._next().text == ")":
            self._take()
            return {""}
        values: set[str] = set()
        while True:
            token = self._take()
            if token.name:
                values.add(token.text)
                if self._next().text not in (",", ")") or not self._next().symbol:
                    raise SelectorError(f"found '{self._next().text}', expected: ',' or ')'")
            elif token.text == ",":
                if not values or self._next().text in (",", ")"):
                    values.add("")
                if self._next().text == ",":
                    self._take()
            else:
                raise SelectorError(f"found '{token.text}', expected: ',', or identifier")
            if self._next().text == ")":
                self._take()
                return values


def _check(what: str, faults: Iterator[str]) -> None:
    for fault in faults:
        raise SelectorError(f"{what}: {fault}")


def _test(operator: str, values: set[str]) -> Test:
    if operator in ("in", "=", "=="):
        return lambda value: value is not None and value in values
    if operator in ("notin", "!="):
        return lambda value: value is None or value not in values
    bound = int(next(iter(values)))

    def compare(value: str | None) -> bool:
        if value is None or not _INTEGER.fullmatch(value):
            return False
        return int(value) > bound if operator == ">" else int(value) < bound

    return compare
