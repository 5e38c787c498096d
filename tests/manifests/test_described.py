"""Every manifest that is there to try is in a document, and is applied by a test."""

import pytest

from tests.variants import ROOT

from .playground import FOLDER

NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_it_is_described_and_tried(name: str) -> None:
    documents = (ROOT / "docs").glob("*.md")
    assert any(f"examples/manifests/{name}.yaml" in path.read_text(encoding="utf-8") for path in documents)
    tests = (ROOT / "tests").rglob("test_*.py")
    used = (f'"{name}"', f'"{name}.yaml"', f"/{name}.yaml")
    assert any(text in path.read_text(encoding="utf-8") for path in tests for text in used)
