"""Obstacles really are in the way, and leave things as they were."""

from pathlib import Path

import pytest

from conformance.cluster.obstacles import stuck, unwritable


def test_nothing_can_be_removed_from_an_unwritable_folder(tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text("{}", encoding="utf-8")
    with unwritable([tmp_path]), pytest.raises(OSError, match=r"ermi(tted|ssion)"):
        spec.unlink()
    spec.unlink()


def test_a_file_that_is_stuck_is_back_afterwards(tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text("{}", encoding="utf-8")
    with stuck([spec]), pytest.raises(OSError, match="directory"):
        spec.unlink()
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("spec.json", "{}")]
