"""The blocks of commands of the documents: fenced ones for a shell, and indented ones that begin with a command."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.repository.sources import ROOT

DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_FENCED = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$", re.M | re.S)
_INDENTED = re.compile(r"(?:^ {4}[^\n]*\n|^\n(?= {4}))+", re.M)
_SHELL = ("sh", "bash", "console", "shell")
_COMMAND = re.compile(
    r"(\$ |\. |eval |export )"
    r"|(dra-conformance|pytest|python3?|pip|make|kubectl|helm|kind|docker|podman|git|jq|grep|openssl|curl)( |$)"
)
_PROMPT = "$ "


@dataclass(frozen=True)
class Block:
    """Commands that stand together. kind: what follows the fence, "" for an indented block."""

    document: str
    kind: str
    text: str

    @property
    def name(self) -> str:
        """Its first command, by which it is known: without prompt, comment and surplus space."""
        first = next(line for line in self.script.splitlines() if line and not line.startswith("#"))
        return re.sub(r"\s+#.*", "", first).strip()

    @property
    def script(self) -> str:
        """What a reader types: all of it, or, where commands have a prompt, those with what they go on with."""
        lines = self.text.splitlines()
        if not any(line.startswith(_PROMPT) for line in lines):
            return self.text
        typed: list[str] = []
        for line in lines:
            if line.startswith(_PROMPT):
                typed.append(line.removeprefix(_PROMPT))
            elif typed and typed[-1].endswith(("\\", "|")):
                typed.append(line)
        return "\n".join(typed) + "\n"


def blocks(document: Path) -> Iterator[Block]:
    """Those of a document, in their order."""
    name, text = str(document.relative_to(ROOT)), document.read_text(encoding="utf-8")
    found = [(m.start(), m["kind"].strip(), m["text"]) for m in _FENCED.finditer(text) if m["kind"].startswith(_SHELL)]
    bare = _FENCED.sub(lambda match: re.sub(r"[^\n]", "-", match[0]), text)
    for match in _INDENTED.finditer(bare):
        inner = re.sub(r"^ {4}", "", match[0], flags=re.M).strip("\n") + "\n"
        if _COMMAND.match(inner):
            found.append((match.start(), "", inner))
    yield from (Block(name, kind, inner) for _, kind, inner in sorted(found))
