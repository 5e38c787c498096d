"""The report's folder: locked while a run lives, and never left with another run's verdict in it."""

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.session import collected, evidence

_LOCK = ".lock"
_MOST = 99


class ReportDir:
    """The folder of one run's report."""

    def __init__(self, path: Path, lock: int, ours: bool, note: str) -> None:
        self.path = path
        self.note = note
        self._lock = lock
        self._ours = ours
        self.begun = False

    @classmethod
    def claim(cls, wanted: Path) -> "ReportDir":
        """Lock the folder, or one beside it while another living run has it. Raises UsageError when it cannot be."""
        for number in range(1, _MOST):
            path = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
            try:
                ours = (path / _LOCK).exists()
                path.mkdir(parents=True, exist_ok=True)
                lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                raise pytest.UsageError(f"--report-dir={path}: cannot be written ({error.strerror})") from None
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            return cls(path, lock, ours, "" if number == 1 else f"{wanted} is in use by another run, so this is {path}")
        raise pytest.UsageError(f"--report-dir={wanted}: is in use by another run; give another folder")

    def begin(self) -> None:
        """Remove what an earlier run has left there. Raises UsageError when the folder is not one of reports."""
        from conformance.report.store import clear

        folders = [self.path / name for name in (evidence.FOLDER, "logs")]
        folders += [path for path in self.path.glob("logs-*") if path.is_dir()]
        if not self._ours and any(folder.exists() for folder in folders):
            raise pytest.UsageError(f"--report-dir={self.path}: has other files in it; give a folder of its own")
        clear(self.path)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        for path in self.path.glob("history*.jsonl"):
            path.unlink(missing_ok=True)
        self.begun = True

    def close(self) -> None:
        """Unlock it; a folder in which nothing was begun goes away again if it was made for that."""
        shutil.rmtree(self.path / collected.FOLDER, ignore_errors=True)
        if not self.begun and not self._ours:
            with suppress(OSError):
                (self.path / _LOCK).unlink()
                self.path.rmdir()
        os.close(self._lock)
