"""The agent as a local process: its operations, and what becomes of those who wait when it ends."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.existing.link import Link
from conformance.cluster.wait import wait_for
from conformance.verdict import Inconclusive
from tests.existing.local_agent import ProcessTransport, local_agent


@pytest.fixture
def made() -> Iterator[tuple[Link, ProcessTransport]]:
    made = local_agent()
    yield made
    made[0].close()
    assert made[1].process.poll() is not None


@pytest.fixture
def link(made: tuple[Link, ProcessTransport]) -> Link:
    return made[0]


def test_an_operation_that_fails_is_nobodys_fault(link: Link) -> None:
    with pytest.raises(Inconclusive, match=r"look failed on the node: FileNotFoundError: .*'/proc/0/environ'"):
        link.call("look", pid=0)
    with pytest.raises(Inconclusive, match="KeyError: 'no_such'"):
        link.call("no_such")


def test_tells_of_a_process_and_kills_that_very_one(link: Link) -> None:
    with subprocess.Popen(["sleep", "60"], env={"GPU": "gpu-1", "EMPTY": ""}) as process:
        wait_for(lambda: Path(f"/proc/{process.pid}/comm").read_text() == "sleep\n", "exec", timeout=10)
        seen = link.call("process", pid=process.pid)
        assert (seen["pid"], seen["alive"]) == (process.pid, True)
        assert link.call("look", pid=process.pid)["env"] == {"GPU": "gpu-1", "EMPTY": ""}
        assert link.call("kill", pid=process.pid, started=seen["started"] - 1, number=signal.SIGKILL) is False
        assert link.call("kill", pid=process.pid, started=seen["started"], number=signal.SIGKILL) is True
        assert process.wait(10) == -signal.SIGKILL
    assert link.call("process", pid=process.pid) is None


def test_runs_commands_that_are_there(link: Link) -> None:
    assert link.call("run", argv=["sh", "-c", "echo out; echo err >&2; exit 3"]) == {
        "status": 3,
        "out": "out\n",
        "err": "err\n",
    }
    assert link.call("run", argv=["no-such-command"]) is None


def test_reads_the_ends_of_logs_in_order(link: Link, tmp_path: Path) -> None:
    (tmp_path / "10.log").write_text("second\n")
    (tmp_path / "9.log").write_text("first\n")
    (tmp_path / "other").write_text("no log\n")
    assert link.call("tail", path=str(tmp_path)) == "first\nsecond\n"
    assert link.call("tail", path=str(tmp_path / "missing")) == ""


def test_many_threads_share_it(link: Link) -> None:
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(link.call("process", pid=os.getpid())["pid"])) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [os.getpid()] * 20


def test_who_waits_for_an_agent_that_dies_is_told(link: Link, made: tuple[Link, ProcessTransport]) -> None:
    caught: list[str] = []

    def call() -> None:
        try:
            link.call("run", argv=["sleep", "30"])
        except Inconclusive as reason:
            caught.append(str(reason))

    thread = threading.Thread(target=call)
    thread.start()
    made[1].process.kill()
    thread.join(20)
    assert len(caught) == 1
    assert caught[0].startswith("the connection to the node has ended")
    assert not link.alive
    with pytest.raises(Inconclusive, match="the connection to the node has ended"):
        link.call("process", pid=1)


def test_a_python_that_cannot_run_it_is_told_of() -> None:
    with pytest.raises(Inconclusive, match="the agent on the node does not answer"):
        local_agent("/no/such/root", "")


def test_shows_that_the_harness_lives(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    link, transport = local_agent("", str(alive))
    os.utime(alive, (0, 0))
    wait_for(lambda: alive.stat().st_mtime > time.time() - 60, "the file to be touched", timeout=10)
    link.close()
    assert transport.process.wait(10) == 0


def test_a_socket_that_nobody_listens_on_refuses(link: Link, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(tmp_path / "stale.sock"))
    stream = link.open(str(tmp_path / "stale.sock"), lambda _: None, lambda: None)
    with pytest.raises(ConnectionRefusedError):
        stream.opened.result(10)
