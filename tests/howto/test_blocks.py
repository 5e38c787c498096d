"""Which blocks of a document are commands, what a reader types of them, and which row of the table is theirs."""

from pathlib import Path

import pytest

from tests.howto import blocks as reading
from tests.howto.blocks import Block, blocks
from tests.howto.table import Row, row_of

DOCUMENT = """# Title

```sh
eval "$(dra-conformance up)"   # it stays
```

    make test      # first this
    make lint

Not a command:

    my-driver.yaml:4: unknown key

```yaml
- run: kubectl get pods
    pytest conformance
```

    $ kubectl get pods \\
          --output wide
    NAME   READY
    $ kubectl delete pods --all
"""


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Block]:
    monkeypatch.setattr(reading, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(DOCUMENT, encoding="utf-8")
    return list(blocks(tmp_path / "page.md"))


def test_fenced_and_indented_commands_are_found_in_their_order(found: list[Block]) -> None:
    assert [(block.kind, block.name) for block in found] == [
        ("sh", 'eval "$(dra-conformance up)"'),
        ("", "make test"),
        ("", "kubectl get pods \\"),
    ]


def test_what_stands_behind_a_prompt_is_typed(found: list[Block]) -> None:
    assert found[-1].script == "kubectl get pods \\\n      --output wide\nkubectl delete pods --all\n"


@pytest.mark.parametrize(
    ("table", "theirs"),
    [
        ([Row("page.md", "make test", here=True)], "make test"),
        ([Row("page.md", "*", by="a"), Row("page.md", "make test", here=True)], "make test"),
        ([Row("page.md", "*", by="a")], "*"),
        ([Row("other.md", "make test", here=True)], None),
        ([Row("page.md", "make test", here=True), Row("page.md", "make test", why="b")], None),
    ],
)
def test_a_block_has_one_row(found: list[Block], table: list[Row], theirs: str | None) -> None:
    row = row_of(found[1], table)
    assert (row.block if row else None) == theirs
