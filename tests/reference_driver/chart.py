"""Renders a chart's templates: the part of Helm's language that the driver's chart is written in, and no more.

Anything else raises, so that what is rendered is what Helm renders.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

_ACTION = re.compile(r"\{\{\s*(.*?)\s*\}\}")
_WORD = re.compile(r'"[^"]*"|\([^()]*\)|\S+')


class ChartError(Exception):
    """A template has something that this does not know."""


class Chart:
    """A chart as a release: `values` replace those of the chart at the top level."""

    def __init__(self, folder: Path, release: str, namespace: str, values: Mapping[str, Any] | None = None) -> None:
        facts = yaml.safe_load((folder / "Chart.yaml").read_text())
        self._scope: dict[str, Any] = {
            "Values": {**yaml.safe_load((folder / "values.yaml").read_text()), **(values or {})},
            "Chart": {name[:1].upper() + name[1:]: value for name, value in facts.items()},
            "Release": {"Name": release, "Namespace": namespace, "Service": "Helm"},
        }
        self._folder = folder / "templates"
        self._parts: dict[str, str] = {}
        self._names: dict[str, Any] = {}

    def objects(self) -> list[dict[str, Any]]:
        """Everything that the chart makes, in the order of its files."""
        for path in sorted(self._folder.glob("*.tpl")):
            self._render(self._load(path), self._scope)
        found: list[dict[str, Any]] = []
        for path in sorted(self._folder.glob("*.yaml")):
            self._names = {}
            found += [obj for obj in yaml.safe_load_all(self._render(self._load(path), self._scope)) if obj]
        return found

    def _load(self, path: Path) -> str:
        """A template with the space gone that its actions trim."""
        return re.sub(r"-\}\}\s*", "}}", re.sub(r"\s*\{\{-", "{{", path.read_text()))

    def _render(self, text: str, dot: Any) -> str:
        pieces = []
        while match := _ACTION.search(text):
            pieces.append(text[: match.start()])
            action, text = match[1], text[match.end() :]
            word, _, argument = action.partition(" ")
            if word in ("if", "with", "define"):
                inner, text = _to_end(text)
                pieces.append(self._block(word, argument, inner, dot))
            elif ":=" in action:
                name, _, expression = action.partition(":=")
                self._names[name.strip()] = self._value(expression, dot)
            else:
                pieces.append(str(self._value(action, dot)))
        return "".join([*pieces, text])

    def _block(self, word: str, argument: str, inner: str, dot: Any) -> str:
        if word == "define":
            self._parts[argument.strip('"')] = inner
            return ""
        value = self._value(argument, dot)
        return self._render(inner, dot if word == "if" else value) if value else ""

    def _value(self, expression: str, dot: Any) -> Any:
        """Of a pipeline: each command gets the value of the one before it as its last argument."""
        commands = [part.strip() for part in expression.split("|")]
        value = self._command(commands[0], dot, [])
        for command in commands[1:]:
            value = self._command(command, dot, [value])
        return value

    def _command(self, command: str, dot: Any, piped: list[Any]) -> Any:
        first, *rest = _WORD.findall(command)
        arguments = [*(self._term(word, dot) for word in rest), *piped]
        functions: dict[str, Callable[..., Any]] = {
            "include": lambda name, scope: self._render(self._parts[name], scope),
            "printf": lambda form, *values: form % values,
            "quote": lambda value: f'"{value}"',
            "default": lambda other, value: value or other,
            "nindent": lambda by, text: "\n" + "\n".join(" " * by + line for line in text.splitlines()),
            "toYaml": lambda value: yaml.safe_dump(value).rstrip("\n"),
        }
        if first in functions:
            return functions[first](*arguments)
        if arguments:
            raise ChartError(f"unknown function {first}")
        return self._term(first, dot)

    def _term(self, word: str, dot: Any) -> Any:
        if word.startswith("("):
            return self._value(word[1:-1], dot)
        if word.startswith('"'):
            return word.strip('"')
        if word.isdigit():
            return int(word)
        if word.startswith("$"):
            return self._names[word]
        if not word.startswith("."):
            raise ChartError(f"unknown word {word}")
        for key in word.strip(".").split(".") if word != "." else ():
            dot = dot[key]
        return dot


def _to_end(text: str) -> tuple[str, str]:
    """A block's content, and what follows the action that ends it."""
    depth = 1
    for match in _ACTION.finditer(text):
        word = match[1].split(" ")[0]
        if word in ("else", "range", "template", "block"):
            raise ChartError(f"unknown action {match[1]}")
        depth += {"if": 1, "with": 1, "define": 1, "end": -1}.get(word, 0)
        if depth == 0:
            return text[: match.start()], text[match.end() :]
    raise ChartError("a block does not end")
