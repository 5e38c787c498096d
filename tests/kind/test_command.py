"""Commands of others die with the harness, and with what they have started."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.cluster import wait_for
from conformance.cluster.kind import command
from conformance.verdict import Inconclusive

SCRIPT = 'sleep 60 & echo "$$ $!" > pids.new; mv pids.new pids; wait'
HARNESS = f"""
from pathlib import Path
from conformance.cluster.kind.command import run

run(["sh", "-c", {SCRIPT!r}], "try", timeout=60, cwd=Path.cwd())
"""


def pids(folder: Path) -> list[int]:
    file = folder / "pids"
    wait_for(file.exists, "the command to run", timeout=10)
    return [int(word) for word in file.read_text().split()]


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def test_what_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    with pytest.raises(Inconclusive, match=r"^cannot try: sh took longer than 1 s$"):
        command.run(["sh", "-c", SCRIPT], "try", timeout=1, cwd=tmp_path)
    for pid in pids(tmp_path):
        wait_for(lambda pid=pid: gone(pid), "the process to end", timeout=5)  # type: ignore[misc]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_it_ends_with_the_harness(tmp_path: Path, number: signal.Signals) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(command.__file__).parents[3])}
    words = [sys.executable, "-c", HARNESS]
    with subprocess.Popen(words, cwd=tmp_path, env=env, stderr=subprocess.DEVNULL) as harness:
        direct, grandchild = pids(tmp_path)
        harness.send_signal(number)
        harness.wait()
    wait_for(lambda: gone(direct), "the command to end", timeout=5)
    if number == signal.SIGINT:
        wait_for(lambda: gone(grandchild), "what it started to end", timeout=5)
    elif not gone(grandchild):  # nobody is left to end it but the next run's sweep
        os.kill(grandchild, signal.SIGKILL)


def test_lines_are_passed_on_as_they_come() -> None:
    lines: list[str] = []
    with pytest.raises(Inconclusive, match=r"^cannot make it: error: no mirror$"):
        command.follow(["sh", "-c", "echo one >&2; echo 'error: no mirror' >&2; exit 1"], "make it", lines.append)
    assert lines == ["one", "error: no mirror"]
