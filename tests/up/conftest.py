"""Clusters that are kept, in a state folder of the test's own; what is still up at its end is ended."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.wait import wait_for
from conformance.up.ending import clusters
from tests.repository.sources import ROOT

Ended = subprocess.CompletedProcess[str]
_WITHIN = 60.0


class Shell:
    """A shell in a folder outside the repository. XDG_STATE_HOME is that of the test, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
        self.env = {**kept, "PYTHONPATH": str(ROOT)}
        self._begun: list[subprocess.Popen[bytes]] = []

    def begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start dra-conformance, output into `out` and `err` of the folder."""
        with open(self.folder / "out", "w") as out, open(self.folder / "err", "w") as err:
            process = subprocess.Popen(self._command(arguments), cwd=self.folder, env=self.env, stdout=out, stderr=err)
        self._begun.append(process)
        return process

    def run(self, *arguments: str, status: int = 0) -> Ended:
        """Run dra-conformance to its end."""
        done = subprocess.run(
            self._command(arguments), cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=_WITHIN
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def status(self) -> Mapping[str, dict[str, Any]]:
        """What `status --json` says, by name."""
        return {known.name: {**known.facts(), "state": state.value} for known, state in clusters()}

    def wait_output(self, text: str, *, file: str = "out") -> str:
        """Wait until the output of what was begun has a text; returns all of it."""
        path = self.folder / file
        wait_for(lambda: text in path.read_text(), f"{text!r} in {path}", timeout=_WITHIN, otherwise=path.read_text)
        return path.read_text()

    def close(self) -> None:
        """End what is still there."""
        for process in self._begun:
            process.send_signal(signal.SIGTERM)
            process.wait(_WITHIN)
        self.run("down", "--all")

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "conformance.cli", *arguments]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """A shell of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shell = Shell(tmp_path)
    yield shell
    shell.close()
