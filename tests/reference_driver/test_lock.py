"""Waiting for the lock: until it is free, the deadline passes or the caller is gone."""

import threading
from pathlib import Path

import pytest

from reference_driver.plugin import Deadline, OutOfTime, StateLock


def test_another_holder_means_reading_again(tmp_path: Path) -> None:
    mine, theirs = StateLock(tmp_path / "lock"), StateLock(tmp_path / "lock")
    reloads: list[str] = []
    for lock, name in ((mine, "mine"), (mine, "mine"), (theirs, "theirs"), (mine, "mine")):
        with lock.hold(Deadline(), lambda name=name: reloads.append(name)):  # type: ignore[misc]
            pass
    assert reloads == ["mine", "theirs", "mine"], "not when nobody else held it since"


@pytest.mark.parametrize("same_process", [True, False])
def test_the_deadline_ends_the_wait(tmp_path: Path, same_process: bool) -> None:
    holder = StateLock(tmp_path / "lock")
    other = holder if same_process else StateLock(tmp_path / "lock")
    with holder.hold(Deadline(), lambda: None), pytest.raises(OutOfTime), other.hold(Deadline(0.05), lambda: None):
        pass
    with other.hold(Deadline(0.05), lambda: None):
        pass


def test_a_caller_that_goes_away_ends_the_wait(tmp_path: Path) -> None:
    holder, other, deadline = StateLock(tmp_path / "lock"), StateLock(tmp_path / "lock"), Deadline(60)
    threading.Timer(0.05, deadline.cancel).start()
    with holder.hold(Deadline(), lambda: None), pytest.raises(OutOfTime), other.hold(deadline, lambda: None):
        pass


def test_a_reload_that_fails_is_done_again(tmp_path: Path) -> None:
    def fail() -> None:
        raise OSError("no disk")

    lock, reloads = StateLock(tmp_path / "lock"), []
    with pytest.raises(OSError, match="no disk"), lock.hold(Deadline(), fail):
        pass
    with lock.hold(Deadline(), lambda: reloads.append(1)):
        pass
    assert reloads


def test_a_call_without_a_deadline_has_no_limit() -> None:
    assert Deadline(2.0**62).remaining() is None, "what gRPC says when there is none"
    assert Deadline(5).remaining() == pytest.approx(5, abs=0.5)
