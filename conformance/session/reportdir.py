"""The report's folder: locked while a run lives, and never left with another run's verdict in it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.session import aside, collected, evidence, journal

_LOCK = ".lock"
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
        self._owed = False

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
                raise unwritable(path, error) from None
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            note = "" if number == 1 else f"{wanted} is in use by another run, so this is {path}"
            claimed = cls(path, lock, ours, note)
            try:
                claimed._recover()
            except OSError as error:
                os.close(lock)
                raise unwritable(path, error) from None
            return claimed
        raise pytest.UsageError(f"--report-dir={wanted}: is in use by another run; give another folder")

    def begin(self) -> None:
        """Set aside what an earlier run has left there. Raises UsageError when the folder is not one of reports."""
        if not self._ours and any(path.is_dir() for path in self._of_a_run()):
            raise pytest.UsageError(f"--report-dir={self.path}: has other files in it; give a folder of its own")
        aside.remove(self.path / collected.FOLDER)  # of a run that was killed, perhaps
        self.begun = True
        try:
            aside.put(self.path, self._of_a_run())
        except OSError as error:
            raise unwritable(self.path, error) from None

    def go_on(self) -> None:
        """Leave what is there: it is of the run that goes on here, but for what its workers told each other."""
        self.begun = self._goes_on = True
        aside.remove(self.path / collected.FOLDER)

    @property
    def keeps_interrupted(self) -> bool:
        """Whether this run has not come to its checks, and one that was interrupted there can still be gone on with."""
        return not self.settled and (self._goes_on or aside.holds(self.path, journal.FOLDER))

    def settle(self) -> None:
        """Remove what was set aside: this is a run."""
        aside.drop(self.path)
        self.settled = True

    def undo(self) -> None:
        """Put back what was set aside, as this was a slip of the pen; nothing happens once it is settled."""
        if self.begun and not self.settled and not self._goes_on:
            self._owed = True
            with suppress(OSError):  # else the next run puts it back
                aside.back(self.path, self._of_a_run)
                self.begun = self._owed = False

    def close(self) -> None:
        """Unlock it; a folder in which nothing was begun goes away again if it was made for that."""
        aside.remove(self.path / collected.FOLDER)
        with suppress(OSError):
            if not self._owed:
                aside.drop(self.path)
            if not self.begun and not self._ours:
                (self.path / _LOCK).unlink()
                self.path.rmdir()
        os.close(self._lock)

    def _recover(self) -> None:
        """Put back what a run that was killed too early has set aside, where that is still worth something."""
        if aside.broken_off(self.path) or aside.holds(self.path, journal.FOLDER):
            aside.back(self.path, self._of_a_run)

    def _of_a_run(self) -> Iterator[Path]:
        """What a run writes there, as far as it is there."""
        from conformance.report.store import FILES

        for name in (*FILES, evidence.FOLDER, "logs", journal.FOLDER):
            if (self.path / name).exists():
                yield self.path / name
        yield from (path for path in self.path.glob("logs-*") if path.is_dir())
        yield from self.path.glob("history*.jsonl")


def unwritable(folder: Path, error: OSError) -> pytest.UsageError:
    """What is raised where a run cannot begin in a folder."""
    return pytest.UsageError(
        f"--report-dir={folder}: cannot be written ({error.strerror}); give another folder, or see to it that it can"
    )
