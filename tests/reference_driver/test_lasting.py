"""What is answered outlives a power cut: it is synced before the answer, once for calls at the same time."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from reference_driver.plugin import AllocatedDevice, Claim, ClaimHandler, ClaimRef, Deadline

from .process import eventually
from .test_crash import OneClaim, files, new_instance

REFS = [ClaimRef("default", f"claim-{number}", f"uid-{number}") for number in range(4)]


class EachItsOwn(OneClaim):
    """The claims of REFS, each with a device of its own."""

    def read(self, ref: ClaimRef, timeout: float | None = None) -> Claim:
        return Claim(ref, (AllocatedDevice("gpus", "node-a", f"gpu-{ref.uid[-1]}"),))


@pytest.fixture
def handler(tmp_path: Path) -> ClaimHandler:
    handler = new_instance(tmp_path)
    handler.reader = EachItsOwn()
    return handler


@contextmanager
def syncing(before: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of what was synced, in order; `before` is called with each beforehand."""
    real, synced = os.fsync, list[str]()

    def fsync(descriptor: int) -> None:
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}")).name
        before(name)
        real(descriptor)
        synced.append(name)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        yield synced


def error_of(handler: ClaimHandler, ref: ClaimRef, verb: str = "prepare") -> str:
    return str(getattr(handler, verb)([ref], Deadline())[ref.uid].error)


def test_the_record_and_then_its_folder(handler: ClaimHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    with syncing(lambda _: None, monkeypatch) as synced:
        assert error_of(handler, REFS[0]) == ""
        assert synced == ["uid-0.json", "claims"]
        assert error_of(handler, REFS[0]) == ""
        assert synced[2:] == [], "nothing has changed"
        assert error_of(handler, REFS[0], "unprepare") == ""
        assert synced[2:] == ["claims"]


def test_what_another_instance_wrote_is_synced_once_more(
    tmp_path: Path, handler: ClaimHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been killed before it came to that."""
    assert error_of(handler, REFS[0]) == ""
    other = new_instance(tmp_path)
    other.reader = EachItsOwn()
    with syncing(lambda _: None, monkeypatch) as synced:
        for _ in range(2):
            assert error_of(other, REFS[0]) == ""
        assert synced == ["uid-0.json", "claims"]


def test_calls_at_the_same_time_sync_together(handler: ClaimHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(_: str) -> None:
        begun.set()
        assert go_on.wait(10)

    with syncing(wait, monkeypatch) as synced, ThreadPoolExecutor(len(REFS)) as pool:
        first = pool.submit(error_of, handler, REFS[0])
        assert begun.wait(10)
        others = [pool.submit(error_of, handler, ref) for ref in REFS[1:]]
        eventually(lambda: {f"uid-{number}.json" for number in range(4)} <= set(files_of(handler)))
        assert not any(call.done() for call in (first, *others)), "none is answered before it is synced"
        with handler.lock.hold(Deadline(10), lambda: None):  # all have let go of it
            go_on.set()
        assert [call.result(10) for call in (first, *others)] == [""] * 4
    assert synced.count("claims") == 2, "once for the first, once for the others"


def files_of(handler: ClaimHandler) -> list[str]:
    return [f"{record.uid}.json" for record in handler.checkpoint.records() if record.state == "prepared"]


@pytest.mark.parametrize("name", ["uid-0.json", "claims"])
def test_what_may_not_last_is_undone(
    tmp_path: Path, handler: ClaimHandler, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(synced: str) -> None:
        if synced == name:
            raise OSError("the disk is broken")

    with syncing(fail, monkeypatch):
        assert "the disk is broken" in error_of(handler, REFS[0])
    assert files(tmp_path) == []
    assert error_of(handler, REFS[0]) == ""


def test_an_unprepare_that_may_not_last_syncs_again(handler: ClaimHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise OSError("the disk is broken")

    assert error_of(handler, REFS[0]) == ""
    with syncing(fail, monkeypatch):
        assert "the disk is broken" in error_of(handler, REFS[0], "unprepare")
    with syncing(lambda _: None, monkeypatch) as synced:
        assert error_of(handler, REFS[0], "unprepare") == ""
    assert synced == ["claims"]
