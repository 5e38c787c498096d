"""What has to be the same about two answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_BASE = 58  # characters of a prefix that a generated name begins with
_NEAR = timedelta(minutes=10)


@dataclass(frozen=True)
class Compared:
    """What is compared beyond codes, reasons, fields and objects: texts of refusals, managedFields without times."""

    texts: bool = False
    managed: bool = False


@dataclass(frozen=True)
class Answer:
    """What a server said: the HTTP code and the JSON body (None without one)."""

    code: int
    body: Any


class Equaliser:
    """Gives what each server makes up (times, UIDs, versions, random names) names by the order of appearance."""

    def __init__(self, compared: Compared, prefixes: Sequence[str]) -> None:
        """`prefixes`: of names that the servers complete."""
        self._compared = compared
        self._generated = [
            # A whole word: a prefix may be no more than a dash, which is in every UID.
            re.compile(rf"(?<![\w-]){re.escape(prefix[:_BASE])}[a-z0-9]{{5}}(?![\w-])")
            for prefix in prefixes
            if prefix
        ]
        self._names: dict[tuple[str, str], str] = {}

    def answer(self, answer: Answer) -> Any:
        """The part of an answer that has to be the same on both sides."""
        body, texts = answer.body, self._compared.texts
        if isinstance(body, dict) and body.get("kind") == "Status" and body.get("status") == "Failure":
            details = body.get("details") or {}
            causes = [
                (row.get("reason", ""), row.get("field", ""), self._text(row.get("message", "")) if texts else "")
                for row in details.get("causes", [])
            ]
            failure = {"code": answer.code, "reason": body.get("reason"), "causes": sorted(set(causes))}
            failure |= {key: self._text(str(details.get(key, ""))) for key in ("name", "group", "kind")}
            return {**failure, "message": self._text(body.get("message", ""))} if texts else failure
        return {"code": answer.code, "body": self._value(body, ())}

    def _value(self, value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, dict):
            made = {key: self._value(item, (*path, key)) for key, item in sorted(value.items())}
            if path[-1:] == ("metadata",) and not self._compared.managed:
                made.pop("managedFields", None)
            if "items" in value and "metadata" in value:
                made["metadata"] = {key: item for key, item in made["metadata"].items() if key != "resourceVersion"}
            return made
        if isinstance(value, list):
            items = [self._value(item, path) for item in value]
            # Their order depends on whether a second has passed between two requests.
            return sorted(items, key=str) if path[-1:] == ("managedFields",) else items
        if isinstance(value, str):
            if path[-2:] == ("metadata", "resourceVersion"):
                return self._name("version", value)
            return self._text(value)
        return value

    def _text(self, text: str) -> str:
        for generated in self._generated:
            text = generated.sub("<generated>", text)
        text = _UUID.sub(lambda found: self._name("uid", found[0]), text)
        return _TIME.sub(lambda found: _time(found[0]), text)

    def _name(self, what: str, value: str) -> str:
        return self._names.setdefault((what, value), f"<{what} {sum(key[0] == what for key in self._names)}>")


def _time(text: str) -> str:
    try:
        when = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return text
    return "<now>" if abs(when - datetime.now(UTC)) < _NEAR else text


def difference(
    ours: Sequence[Answer], theirs: Sequence[Answer], compared: Compared, prefixes: Sequence[str] = ()
) -> tuple[int, Any, Any] | None:
    """The first step whose answers differ, with both, made comparable; None when all are the same."""
    left, right = Equaliser(compared, prefixes), Equaliser(compared, prefixes)
    for step, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        a, b = left.answer(our), right.answer(their)
        if a != b:
            return step, a, b
    return None


def lines(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """The places where two values differ, a line each."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        keys = sorted({*ours, *theirs})
        return [
            row
            for key in keys
            for row in lines(ours.get(key, "nothing"), theirs.get(key, "nothing"), f"{path}.{key}".lstrip("."))
        ]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        rows = zip(ours, theirs, strict=True)
        return [row for index, (a, b) in enumerate(rows) for row in lines(a, b, f"{path}[{index}]")]
    return [] if ours == theirs else [f"{path}: ours {_short(ours)}, theirs {_short(theirs)}"]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 1500 else f"{text[:1500]}…"
