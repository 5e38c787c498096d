"""What the documents say is so: links lead somewhere, examples work, tables are those of the code."""

import re
from pathlib import Path

import pytest
import yaml

from conformance import history
from conformance.target import DriverFile
from conformance.target.placeholders import check as check_placeholders
from tests.repository.sources import ROOT, code, files

DOCUMENTS = [path for path in files() if path.suffix == ".md"]


def text(path: Path | str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text(document))
    assert [target for target in targets if not (ROOT / document.parent / target).exists()] == []


def test_every_document_is_in_the_index() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", text("docs/README.md")))
    assert {path.name for path in DOCUMENTS if path.parent == Path("docs")} - {"README.md"} == listed


def test_driver_file_of_the_readme_is_valid() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", text("README.md"), re.DOTALL)
    check_placeholders(DriverFile.model_validate(yaml.safe_load(example)), "README.md")


def test_check_of_the_tutorial_is_python() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", text("docs/writing-checks.md"), re.DOTALL)
    compile(example, "docs/writing-checks.md", "exec")


def test_every_kind_of_event_is_described() -> None:
    """Those that the history's docstring lists, and those that are recorded."""
    kinds = set(re.findall(r"^    (\w+) +\S", history.__doc__ or "", re.MULTILINE))
    for path in code("conformance"):
        kinds.update(re.findall(r"\brecord\(\s*\"(\w+)\",", text(path)))
    assert kinds - set(re.findall(r"^\| `(\w+)`", text("docs/history.md"), re.MULTILINE)) == set()


def test_commands_of_make_that_documents_name_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    named = {name for path in DOCUMENTS for name in re.findall(r"^ {4}make ([a-z]+)|`make ([a-z]+)`", text(path))}
    assert {a or b for a, b in named} <= targets
