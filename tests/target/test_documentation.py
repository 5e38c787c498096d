"""The page about driver files speaks of every key and every placeholder."""

import re
from pathlib import Path

import pytest
import yaml

from conformance.target.model import DriverFile
from conformance.target.placeholders import KNOWN
from conformance.target.problems import every_key

PAGE = (Path(__file__).parents[2] / "docs" / "driver-file.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", sorted({path.rpartition(".")[2] for path in every_key()}))
def test_every_key_is_explained(key: str) -> None:
    assert re.search(rf"`(\w+\.)*{key}(\.\w+)*`|^## {key}$", PAGE, re.MULTILINE)


def test_every_placeholder_is_explained_and_no_other() -> None:
    assert set(re.findall(r"^\| `\{(\w+)\}` \|", PAGE, re.MULTILINE)) == set(KNOWN)


def test_examples_are_driver_files_or_sections_of_one() -> None:
    examples = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert len(examples) >= 4
    for example in examples:
        DriverFile.model_validate({"drivers": [{"name": "x"}], **yaml.safe_load(example)}, strict=False)
