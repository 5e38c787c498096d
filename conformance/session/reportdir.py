"""The report's folder: locked while a run lives, and never left with another run's verdict in it."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.session import collected, evidence, journal

_LOCK = ".lock"
_EARLIER = ".earlier"
_MOST = 99


class ReportDir:
    """The folder of one run's report. `begun`: it shows this run; `settled`: and what an earlier one left is gone."""

    def __init__(self, path: Path, lock: int, ours: bool, note: str) -> None:
        self.path = path
        self.note = note
        self._lock = lock
        self._ours = ours
        self.begun = False
        self.settled = False
        self._goes_on = False

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
        """Set aside what an earlier run has left there. Raises UsageError when the folder is not one of reports."""
        if not self._ours and any(path.is_dir() for path in self._of_a_run()):
            raise pytest.UsageError(f"--report-dir={self.path}: has other files in it; give a folder of its own")
        for name in (_EARLIER, collected.FOLDER):  # of a run that was killed, perhaps
            shutil.rmtree(self.path / name, ignore_errors=True)
        try:
            (self.path / _EARLIER).mkdir()
            for path in list(self._of_a_run()):
                path.rename(self.path / _EARLIER / path.name)
        except OSError as error:
            raise pytest.UsageError(f"--report-dir={self.path}: cannot be written ({error.strerror})") from None
        self.begun = True

    def go_on(self) -> None:
        """Leave what is there: it is of the run that goes on here, but for what its workers told each other."""
        self.begun = self._goes_on = True
        shutil.rmtree(self.path / collected.FOLDER, ignore_errors=True)

    def settle(self) -> None:
        """Remove what was set aside: this is a run."""
        shutil.rmtree(self.path / _EARLIER, ignore_errors=True)
        if not self._goes_on:
            journal.end(self.path)
        self.settled = True

    def undo(self) -> None:
        """Put back what was set aside, as this was a slip of the pen; nothing happens once it is settled."""
        if self.begun and not self.settled and not self._goes_on:
            for path in list(self._of_a_run()):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            for path in (self.path / _EARLIER).iterdir():
                path.rename(self.path / path.name)
            self.begun = False

    def close(self) -> None:
        """Unlock it; a folder in which nothing was begun goes away again if it was made for that."""
        for name in (_EARLIER, collected.FOLDER):
            shutil.rmtree(self.path / name, ignore_errors=True)
        if not self.begun and not self._ours:
            with suppress(OSError):
                (self.path / _LOCK).unlink()
                self.path.rmdir()
        os.close(self._lock)

    def _of_a_run(self) -> Iterator[Path]:
        """What a run writes there, as far as it is there."""
        from conformance.report.store import FILES

        for name in (*FILES, evidence.FOLDER, "logs"):
            if (self.path / name).exists():
                yield self.path / name
        yield from (path for path in self.path.glob("logs-*") if path.is_dir())
        yield from self.path.glob("history*.jsonl")
