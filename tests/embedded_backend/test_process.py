"""A child process: watched, logged, and never left behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.cluster.local import process as module
from conformance.cluster.local.process import Process
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.redact import hide

Start = Callable[..., Process]


@pytest.fixture
def history() -> History:
    return History()


@pytest.fixture
def start(tmp_path: Path, history: History) -> Start:
    def start(*argv: str, **env: str) -> Process:
        log = tmp_path / "driver.log"
        return Process(argv, env=env, cwd=tmp_path, log=log, history=history, name="driver", instance="uid-1")

    return start


def gone(pid: int) -> bool:
    """Whether a process is dead; a zombie is."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


def written(path: Path) -> str:
    return wait_for(
        lambda: (path.exists() and path.read_text().strip()) or None, f"{path.name} to be written", timeout=5
    )


def test_its_end_is_seen_with_its_status_and_log(start: Start, history: History) -> None:
    process = start("sh", "-c", "echo one; echo two Bearer abcdefghijkl >&2; exit 7")
    assert process.wait(5) == 7
    assert not process.alive
    assert process.log_tail(1) == "two Bearer [redacted]"
    phases = [(event["phase"], event["status"]) for event in history.events("process")]
    assert phases == [("started", None), ("exited", 7)]


def test_of_a_long_log_only_the_end_is_read(start: Start) -> None:
    process = start("sh", "-c", "yes line | head -c 1000000; echo; echo last")
    assert process.wait(5) == 0
    rows = process.log_tail(1_000_000).splitlines()
    assert rows[-1] == "last"
    assert 50_000 < len(rows) < 60_000
    assert set(rows[:-2]) == {"line"}


def test_sigterm_is_for_the_process_and_none_means_it_goes_on(start: Start, tmp_path: Path) -> None:
    process = start("sh", "-c", "trap 'test -e go && exit 3' TERM; echo > up; while :; do sleep 0.01; done")
    wait_for((tmp_path / "up").exists, "the trap to be set", timeout=5)
    assert process.terminate(0.1) is None
    assert process.alive
    (tmp_path / "go").touch()
    assert process.terminate(5) == 3


def test_killing_it_kills_what_it_started(start: Start, tmp_path: Path) -> None:
    process = start("sh", "-c", "sleep 60 & echo $! > grandchild; wait")
    grandchild = int(written(tmp_path / "grandchild"))
    process.kill()
    assert process.exit_status == -signal.SIGKILL
    wait_for(lambda: gone(grandchild), "the grandchild to be gone", timeout=5)


def test_what_it_started_goes_when_it_ends_by_itself(start: Start, tmp_path: Path) -> None:
    process = start("sh", "-c", "sleep 60 & echo $! > grandchild")
    assert process.wait(5) == 0
    grandchild = int(written(tmp_path / "grandchild"))
    wait_for(lambda: gone(grandchild), "the grandchild to be gone", timeout=5)


def test_its_environment_is_scrubbed(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KUBECONFIG", "HTTPS_PROXY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "of the user")
    start("sh", "-c", "env > env", NODE_NAME="a").wait(5)
    names = {line.partition("=")[0] for line in (tmp_path / "env").read_text().splitlines()}
    assert "NODE_NAME" in names
    assert names <= {"PATH", "HOME", "LANG", "TMPDIR", "NODE_NAME", "PWD", "SHLVL", "_", "OLDPWD"}


def test_a_program_that_is_not_there_is_an_error_at_once(start: Start) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-program does not exist or cannot be executed"):
        start("no-such-program")


def test_it_outlives_the_thread_that_started_it(start: Start) -> None:
    processes: list[Process] = []
    thread = threading.Thread(target=lambda: processes.append(start("sleep", "60")))
    thread.start()
    thread.join()
    assert processes[0].wait(0.2) is None
    processes[0].kill()


HARNESS = """
import sys
from pathlib import Path
from conformance.cluster.local import process
from conformance.history import History
from conformance.redact import hide

here = Path(sys.argv[1])
if sys.argv[2] == "ctypes":
    process.launcher = lambda: (sys.executable, "-I", "-S", "-c", process._LAUNCHER)
child = process.Process(
    ["sleep", "60"], env={}, cwd=here, log=here / "log", history=History(), name="driver", instance="0"
)
(here / "child.tmp").write_text(str(child.pid))
(here / "child.tmp").rename(here / "child")
sys.stdin.read()
"""


@pytest.mark.parametrize("launcher", ["setpriv", "ctypes"])
def test_it_dies_with_a_harness_that_is_killed(tmp_path: Path, launcher: str) -> None:
    if launcher == "setpriv" and module.launcher()[0] != "setpriv":
        pytest.skip("setpriv without --pdeathsig on this machine: the other launcher is used")
    command = [sys.executable, "-c", HARNESS, str(tmp_path), launcher]
    root = Path(module.__file__).parents[3]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(root)}) as harness:
        try:
            child = int(written(tmp_path / "child"))
            comm = Path(f"/proc/{child}/comm")
            wait_for(lambda: comm.read_text().strip() == "sleep", "the child's program to run", timeout=5)
            assert not gone(child)
        finally:
            harness.kill()
    wait_for(lambda: gone(child), "the child to be gone", timeout=5)


def test_its_log_is_published_without_secrets_when_it_ends(
    tmp_path: Path, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv, env = ["sh", "-c", "echo key $API_TOKEN; echo password: open"], {"API_TOKEN": "sesame-sesame"}
    raw, published = tmp_path / "private.log", tmp_path / "published.log"
    monkeypatch.setattr("conformance.redact._hidden", ())
    hide(argv, env)
    process = Process(
        argv, env=env, cwd=tmp_path, log=raw, publish=published, history=history, name="driver", instance="uid-1"
    )
    assert process.wait(5) == 0
    assert published.read_text() == "key [redacted]\npassword: [redacted]\n"
    assert next(history.events("process"))["log"] == str(published)
