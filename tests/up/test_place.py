"""The folder of a kept cluster is one process's at a time, and gone when that clears it."""

import subprocess
import sys
from pathlib import Path

import pytest

from conformance.up.place import LOGS, InUse, Place, folder_of, holder, names
from tests.repository.sources import ROOT

HOLDING = """
import sys
from conformance.up.place import Place
place = Place.take("dev")
print("taken", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_it_is_private() -> None:
    place = Place.take("dev")
    assert [path.stat().st_mode & 0o777 for path in (place.path, place.path.parent)] == [0o700, 0o700]
    place.clear()


def test_who_holds_it_is_known_until_that_process_is_gone() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLDING], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "taken\n"
        assert holder("dev") == other.pid
        with pytest.raises(InUse, match=str(other.pid)):
            Place.take("dev")
        other.kill()
        other.wait()
    assert holder("dev") == 0
    Place.take("dev").clear()
    assert names() == []


def test_logs_can_stay() -> None:
    place = Place.take("dev")
    (place.path / LOGS).mkdir()
    (place.path / LOGS / "driver-0.log").touch()
    (place.path / "state.json").touch()
    place.clear(but_logs=True)
    assert [path.name for path in folder_of("dev").iterdir()] == [LOGS]
    Place.take("dev").clear()
    assert not folder_of("dev").exists()


def test_a_folder_for_logs_without_any_does_not_stay() -> None:
    place = Place.take("dev")
    (place.path / LOGS).mkdir()
    place.clear(but_logs=True)
    assert names() == []
