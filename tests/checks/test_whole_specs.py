"""Specs that are written in place are told from those that are renamed into place."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.checks.injection.test_whole_specs import written_in_place
from conformance.cluster import Node


@pytest.fixture
def node(tmp_path: Path) -> Node:
    (tmp_path / "etc").mkdir()
    (tmp_path / "run").mkdir()
    dirs = (tmp_path / "etc", tmp_path / "run", tmp_path / "missing")
    return cast(Any, SimpleNamespace(cdi=SimpleNamespace(dirs=dirs)))  # type: ignore[no-any-return]


def test_a_renamed_file_is_whole(node: Node) -> None:
    folder = node.cdi.dirs[1]
    with written_in_place(node) as names:
        (folder / ".a.json.tmp").write_text("{}", encoding="utf-8")
        (folder / ".a.json.tmp").rename(folder / "a.json")
    assert names == set()


@pytest.mark.parametrize("name", ["a.json", "b.yaml"])
def test_a_written_file_is_not(node: Node, name: str) -> None:
    with written_in_place(node) as names:
        (node.cdi.dirs[0] / name).write_text("{}", encoding="utf-8")
    assert names == {name}


def test_a_file_that_no_runtime_reads_may_be_written(node: Node) -> None:
    with written_in_place(node) as names:
        (node.cdi.dirs[1] / "notes.txt").write_text("x", encoding="utf-8")
    assert names == set()
