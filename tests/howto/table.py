"""The reviewed table of commands: where each block of the documents is run, or why it is not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.howto.blocks import Block

TABLE = Path(__file__).with_name("commands.yaml")
EVERY = "*"
_FIELDS = {"by", "here", "why", "like"}
_HERE = {"says", "needs", "all"}


@dataclass(frozen=True)
class Row:
    """One row; exactly one of `by`, `here` and `why` is there."""

    document: str
    block: str
    by: str = ""
    here: bool = False
    says: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    all: bool = False
    why: str = ""
    like: str = ""

    def fits(self, block: Block) -> bool:
        """Whether it is about this block: by its first command, about all of its kind, or the document's rest."""
        return self.document == block.document and self.block in {block.name, block.kind or block.name, EVERY}


def rows() -> Iterator[Row]:
    """Those of the table, in its order. Raises ValueError for a field that there is not."""
    for document, table in yaml.safe_load(TABLE.read_text(encoding="utf-8")).items():
        for block, fields in table.items():
            here: dict[str, Any] = fields.get("here") or {}
            if set(fields) - _FIELDS or set(here) - _HERE:
                raise ValueError(f"{TABLE.name}: {document}: {block}: unknown field")
            given = {name: value for name, value in fields.items() if name != "here"}
            here = {name: tuple(value) if isinstance(value, list) else value for name, value in here.items()}
            yield Row(document, block, **given, here="here" in fields, **here)


def row_of(block: Block, known: Sequence[Row]) -> Row | None:
    """The row of a block, where it has exactly one; a row for the rest of a document counts where there is no other."""
    found = [row for row in known if row.fits(block)]
    own = [row for row in found if row.block != EVERY] or found
    return own[0] if len(own) == 1 else None
