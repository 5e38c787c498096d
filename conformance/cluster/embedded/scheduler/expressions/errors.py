"""Errors of expressions, with the texts of cel-go."""

from collections.abc import Sequence
from dataclasses import dataclass

_ESCAPES = {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v"}
_ESCAPES |= {"\\": "\\\\", '"': '\\"'}
_LONGEST_SNIPPET = 16384
_MOST_REPORTED = 100


class CompileError(ValueError):
    """An expression that does not compile."""


class ProgramError(CompileError):
    """An expression that compiles, but that no program can be made of."""


class EvaluationError(Exception):
    """What an expression results in instead of a value."""


def quote(text: str) -> str:
    """A text as Go's %q shows it."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(letter: str) -> str:
    if letter in _ESCAPES or letter.isprintable():
        return _ESCAPES.get(letter, letter)
    code = ord(letter)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@dataclass(frozen=True)
class Issue:
    """One thing that is wrong, at an offset in characters."""

    offset: int
    text: str


def report(source: str, issues: Sequence[Issue]) -> str:
    """All issues with the lines that they are in."""
    placed = sorted(
        ((_place(source, issue.offset), issue.text) for issue in issues[:_MOST_REPORTED]), key=lambda p: p[0]
    )
    lines = source.split("\n")
    rows = [_row(lines, line, column, text) for (line, column), text in placed]
    if len(issues) > _MOST_REPORTED:
        rows.append(f"{len(issues) - _MOST_REPORTED} more errors were truncated")
    return "\n".join(rows)


def _place(source: str, offset: int) -> tuple[int, int]:
    before = source[:offset]
    return before.count("\n"), offset - (before.rfind("\n") + 1)


def _row(lines: Sequence[str], line: int, column: int, text: str) -> str:
    row = f"ERROR: <input>:{line + 1}:{column + 1}: {text}"
    snippet = lines[line].replace("\t", " ")
    if len(snippet.encode()) > _LONGEST_SNIPPET:
        return row
    dots = "".join("．" if ord(letter) > 127 else "." for letter in snippet[:column])
    mark = "＾" if ord(snippet[column : column + 1] or " ") > 127 else "^"
    return f"{row}\n | {snippet}\n | {dots}{mark}"
