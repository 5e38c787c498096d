"""Markdown of texts that come from the code."""

import html
import re
from collections.abc import Iterable, Sequence

_CODE = re.compile(r"(`[^`\n]+`)")
_SPECIAL = re.compile(r"([\\*_\[\]])")


def prose(text: str) -> str:
    """A text as it is written in code: what is in backticks is code, nothing else means anything."""
    parts = _CODE.split(text)
    return "".join(
        part if i % 2 else _SPECIAL.sub(r"\\\1", html.escape(part, quote=False)) for i, part in enumerate(parts)
    )


def paragraphs(docstring: str) -> str:
    """A docstring: its paragraphs, each on one line."""
    blocks = re.split(r"\n\s*\n", docstring.strip())
    return "\n\n".join(prose(" ".join(block.split())) for block in blocks)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def listing(text: str) -> str:
    """A block of code that is no language."""
    return f"```text\n{text.rstrip()}\n```"
