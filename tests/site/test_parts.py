"""What the site is made by: the order of the index, links that lead out of the documents, texts of the code."""

import sys

import pytest

from tests.repository.sources import ROOT

sys.path.append(str(ROOT / "docs" / "site"))

import markup
import navigation
import outside

INDEX = """# Documents

## Tutorials

To learn:

- [One](one.md): the first
- [Two](../two.md): the second

## Reference

- [Three](three.md), and more
"""


def test_sections_and_pages_keep_their_order() -> None:
    nav = navigation.navigation(INDEX, {"Reference": ["made.md"]})
    assert nav == [
        "README.md",
        {"Tutorials": [{"One": "one.md"}, {"Two": "source/two.md"}]},
        {"Reference": ["made.md", {"Three": "three.md"}]},
    ]


def test_a_section_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="has no section Explanation"):
        navigation.navigation(INDEX, {"Explanation": ["made.md"]})


def test_links_out_of_the_documents_lead_to_pages_of_the_site() -> None:
    text = "[map](../ARCHITECTURE.md) [class](../examples/my-driver.yaml) [up](up.md#what) `[code](../x.md)`"
    assert list(outside.linked("docs/kind.md", text)) == ["ARCHITECTURE.md", "examples/my-driver.yaml"]
    assert outside.redirected("docs/kind.md", text, "kind.md") == (
        "[map](source/ARCHITECTURE.md) [class](source/examples/my-driver.yaml.md) [up](up.md#what) `[code](../x.md)`"
    )


def test_a_link_to_nothing_is_told() -> None:
    with pytest.raises(ValueError, match=r"docs/kind.md links to \.\./nowhere\.py"):
        list(outside.linked("docs/kind.md", "[no](../nowhere.py)"))


def test_a_document_that_is_linked_to_brings_what_it_links_to() -> None:
    made = dict(outside.pages(["ARCHITECTURE.md"]))
    assert "](../kind.md)" in made["source/ARCHITECTURE.md"]


def test_texts_of_the_code_mean_nothing_in_markdown() -> None:
    assert markup.prose("a <run>_x_ *y* [z] `<run>`") == r"a &lt;run&gt;\_x\_ \*y\* \[z\] `<run>`"


def test_cells_hold_bars() -> None:
    assert markup.table(("a",), [("x|y",)]).splitlines()[-1] == r"| x\|y |"
