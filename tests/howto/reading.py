"""What a document tells its readers to do: files to write, and commands to type."""

import re
from collections.abc import Iterator
from pathlib import Path

_FENCED = re.compile(r"(?:^`(?P<file>[\w./-]+)`[^\n]*:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
_SHELL = "sh"


def write_files(document: Path, folder: Path) -> list[str]:
    """Write the files that it shows, each announced by a line that begins with its name; returns their names."""
    written = []
    for name, _, text in _blocks(document):
        if name:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(name)
    return written


def script(document: Path) -> str:
    """All commands in order, as one script of bash."""
    return "\n".join(text for _, kind, text in _blocks(document) if kind == _SHELL)


def _blocks(document: Path) -> Iterator[tuple[str, str, str]]:
    for match in _FENCED.finditer(document.read_text(encoding="utf-8")):
        yield match["file"] or "", match["kind"], match["text"]
