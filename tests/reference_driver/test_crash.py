"""The process dies at every file operation of Prepare and Unprepare in turn; the next instance copes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fakegpu import default_inventory
from reference_driver.gpu import GpuDriver
from reference_driver.plugin import (
    AllocatedDevice,
    CdiFolder,
    Checkpoint,
    Claim,
    ClaimHandler,
    ClaimReader,
    ClaimRecord,
    ClaimRef,
    Deadline,
    StateLock,
)
from reference_driver.plugin.recovery import restore

REF = ClaimRef("default", "c", "uid-1")
_OPERATIONS = ("rename", "fsync", "unlink", "open")


class Killed(BaseException):
    """Stands for SIGKILL: nobody catches it."""


class OneClaim(ClaimReader):
    def __init__(self) -> None:
        pass

    def read(self, ref: ClaimRef, timeout: float | None = None) -> Claim:
        return Claim(ref, (AllocatedDevice("gpus", "node-a", "gpu-0"),))


class ChangesHardware(GpuDriver):
    """One that has something to undo, and so writes down what it is about to do."""

    def undo(self, record: ClaimRecord) -> None:
        pass


def new_instance(root: Path, kind: type[GpuDriver] = GpuDriver) -> ClaimHandler:
    driver = kind("gpu.example.com", "node-a", default_inventory("node-a"))
    checkpoint, cdi = Checkpoint(root / "claims"), CdiFolder(root / "cdi", driver.cdi_kind)
    handler = ClaimHandler(driver, OneClaim(), checkpoint, cdi, StateLock(root / "lock"), "boot")
    restore(handler)
    return handler


@contextmanager
def killed_at(operation: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The process dies just before its nth file operation; the list counts them."""
    count = [0]

    def counted(name: str) -> Any:
        real = getattr(os, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            count[0] += 1
            if count[0] == operation:
                raise Killed
            return real(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        for name in _OPERATIONS:
            patch.setattr(os, name, counted(name))
        yield count


def files(root: Path) -> list[str]:
    return sorted(path.name for folder in ("claims", "cdi") for path in (root / folder).glob("*"))


@pytest.mark.parametrize("kind", [GpuDriver, ChangesHardware])
@pytest.mark.parametrize("verb", ["prepare", "unprepare"])
def test_every_instant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, kind: type[GpuDriver]) -> None:
    operation, done = 0, False
    while not done:
        operation += 1
        root = tmp_path / str(operation)
        handler = new_instance(root, kind)
        if verb == "unprepare":
            handler.prepare([REF], Deadline())
        with killed_at(operation, monkeypatch) as count:
            try:
                getattr(handler, verb)([REF], Deadline())
                done = True
            except Killed:
                assert count[0] == operation
        handler = new_instance(root, kind)
        answer = handler.prepare([REF], Deadline())[REF.uid]
        assert answer.error == ""
        assert handler.cdi.path(REF.uid).exists()
        assert handler.unprepare([REF], Deadline())[REF.uid].error == ""
        assert files(root) == []
    assert operation > 3, "there are that many operations at least"
