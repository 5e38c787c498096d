"""The folder of a run, and the sweep of runs that were killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.cluster.obstacles import unwritable
from conformance.cluster.wait import seen_within
from conformance.session.rundir import RUN_VARIABLE, RunDir, sweep

_OTHER_RUN = """
import os, subprocess, sys
from pathlib import Path
from conformance.session.rundir import RunDir
run = RunDir.create(Path(sys.argv[1]))
child = subprocess.Popen(
    ["sleep", "60"], env={**os.environ, **run.environment}, start_new_session=True, stdout=subprocess.DEVNULL
)
print(run.path, child.pid, flush=True)
sys.stdin.read()
"""


class OtherRun:
    """A run in a process of its own, with a child process."""

    def __init__(self, base: Path) -> None:
        root = Path(__file__).parents[2]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OTHER_RUN, str(base)],
            env={**os.environ, "PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        path, pid = self.process.stdout.readline().split()
        self.path = Path(path)
        self.child = int(pid)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def child_lives(self) -> bool:
        state = Path(f"/proc/{self.child}/stat")
        return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def other(tmp_path: Path) -> OtherRun:
    return OtherRun(tmp_path)


def test_a_killed_run_is_swept_by_the_next(other: OtherRun, tmp_path: Path) -> None:
    other.end()
    assert other.child_lives()
    run = RunDir.create(tmp_path)
    assert seen_within(lambda: not other.child_lives(), 10), "the sweep kills what the run had started"
    assert not other.path.exists()
    assert run.path.exists()
    run.close()


def test_a_living_run_is_left_alone(other: OtherRun, tmp_path: Path) -> None:
    assert sweep(tmp_path) == []
    assert other.child_lives()
    assert other.path.exists()
    os.kill(other.child, signal.SIGKILL)
    other.end()


def test_a_folder_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "dcsomething").mkdir()
    (tmp_path / "dcfile").write_text("")
    assert sweep(tmp_path) == []
    assert (tmp_path / "dcsomething").exists()


def test_closing_ends_processes_and_removes_the_folder(tmp_path: Path) -> None:
    run = RunDir.create(tmp_path)
    child = subprocess.Popen(["sleep", "60"], env={**os.environ, RUN_VARIABLE: str(run.path)})
    run.close()
    run.close()
    assert child.wait(5) == -signal.SIGKILL
    assert not run.path.exists()


@pytest.mark.parametrize("temporary", ["/tmp", "/tmp/of/a/user"])
def test_its_path_is_short_and_private(temporary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No socket of a driver has a longer path than on a node: a name that fits there must fit here."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: temporary)
    run = RunDir.create()
    assert len(str(run.path / "a" / "k")) <= len("/var/lib/kubelet")
    assert run.path.stat().st_mode & 0o777 == 0o700
    run.close()


def test_a_run_that_is_killed_while_it_cleans_up_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = RunDir.create(tmp_path)
    for name in ("a", "z"):
        (run.path / name).mkdir()

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            run.close()
    os.close(run._lock)
    assert sweep(tmp_path) == [run.path]
    assert list(tmp_path.iterdir()) == []


def test_obstacles_of_a_killed_run_are_swept(other: OtherRun, tmp_path: Path) -> None:
    folder = other.path / "a" / "cdi"
    folder.mkdir(parents=True)
    (folder / "spec.json").touch()
    with unwritable([folder]):
        other.end()
        RunDir.create(tmp_path).close()
        assert not other.path.exists()
        folder.mkdir(parents=True)  # for the end of the block
