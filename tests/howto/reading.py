"""What a document tells its readers to do: files to write, and commands to type."""

import re
from collections.abc import Iterator
from pathlib import Path

_FENCED = re.compile(
    r"(?:^`(?P<file>[\w./-]+)`[^\n]*:\n\n)?^```(?P<kind>\w+(?: \w+)?)\n(?P<text>.*?)^```$", re.M | re.S
)
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


def script(document: Path, kind: str = _SHELL, *, section: str = "") -> str:
    """All commands in order, or those of one section, as one script of bash.

    kind: `sh docker` are those that need Docker, `sh cluster` those that need the programs of a real control plane.
    """
    return "\n".join(text for _, found, text in _blocks(document, section) if found == kind)


def _blocks(document: Path, section: str = "") -> Iterator[tuple[str, str, str]]:
    text = document.read_text(encoding="utf-8")
    if section:
        text = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    for match in _FENCED.finditer(text):
        yield match["file"] or "", match["kind"], match["text"]
