"""What tests fetch from elsewhere is fetched in one way, once, and whole."""

from pathlib import Path

import pytest

from tests import fetched
from tests.repository.sources import ROOT


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetched, "cache_dir", lambda: tmp_path)


def test_it_is_fetched_once() -> None:
    times: list[Path] = []
    folders = [fetched.kept("@of/somebody@1.0", times.append) for _ in range(2)]
    assert len(times) == 1
    assert folders[0] == folders[1]
    assert folders[0].is_dir()


def test_what_fails_half_way_leaves_nothing_that_is_taken_for_it() -> None:
    def half(into: Path) -> None:
        (into / "half").touch()
        fetched.run(["sh", "-c", "echo no such package >&2; exit 1"])

    for _ in range(2):
        with pytest.raises(fetched.Missing, match=r"^sh -c .* failed: no such package$"):
            fetched.kept("nobody@1.0", half)


def test_without_npm_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(fetched.Missing, match=r"^npm is not on PATH"):
        fetched.npm("somebody@1.0")


def test_npm_is_run_in_one_place_only() -> None:
    files = [path for path in (ROOT / "tests").rglob("*.py") if 'which("npm")' in path.read_text(encoding="utf-8")]
    assert [path.name for path in files if path != Path(__file__)] == ["fetched.py"]
