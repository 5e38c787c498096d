"""Child processes that die with the harness, and whose own children die with them.

a session of its own    so that all that the child starts can be killed at once
parent-death signal     SIGKILL from the kernel when the harness ends, however it ends
scrubbed environment    a driver sees nothing of the user's proxies, credentials or Kubernetes settings
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path

from conformance.history import History
from conformance.redact import redact_text

_TAIL_BYTES = 256 * 1024
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")

# The kernel sends the parent-death signal when the *thread* that forked ends: so one thread, that never ends, forks.
_spawner = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spawner")

_LAUNCHER = """
import ctypes, os, sys
if ctypes.CDLL(None, use_errno=True).prctl(1, 9, 0, 0, 0):
    sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
"""


def scrubbed(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child: what every program needs, and what is given."""
    return {**{name: os.environ[name] for name in _KEPT if name in os.environ}, **env}


class Process:
    """One child process; its output goes to a file, its start and end into the history.

    told: whether it was sent a signal.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        log: Path,
        history: History,
        name: str,
        instance: str,
        node: str = "",
        publish: Path | None = None,
    ) -> None:
        """Start it. Raises OSError when there is no such program.

        log: what it writes, as it is; publish: where that goes when it has ended, secrets redacted. The attribute `log`
        is the file to show to people.
        """
        self.told = False
        self._log = log
        self.log = publish or log
        self._history = history
        self._who = {"name": name, "instance": instance, "node": node}
        self._reaping = threading.Lock()
        self._ended = threading.Event()
        self._status: int | None = None
        started: Future[subprocess.Popen[bytes]] = _spawner.submit(_spawn, argv, scrubbed(env), cwd, log)
        self._popen = started.result()
        self.pid = self._popen.pid
        history.record("process", phase="started", pid=self.pid, argv=list(argv), log=str(self.log), **self._who)
        self._in_thread(self._watch)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return not self._ended.is_set()

    @property
    def exit_status(self) -> int | None:
        """Exit status once it ended, negative for a signal; None before."""
        return self._status if self._ended.is_set() else None

    def wait(self, timeout: float) -> int | None:
        """The exit status, waited for at most `timeout` seconds; None when it still runs."""
        self._ended.wait(timeout)
        return self.exit_status

    def when_ended(self, call: Callable[[], None]) -> None:
        """Call `call` once, in a thread of its own, when the process has ended; at once when it already has."""

        def wait_and_call() -> None:
            self._ended.wait()
            call()

        self._in_thread(wait_and_call)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process alone; nothing happens when it has ended."""
        with self._reaping:
            if self.alive:
                self._tell(number.name)
                os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL it and all that it started, and wait until it is gone."""
        with self._reaping:
            if self.alive:
                self._tell("SIGKILL")
                _kill_group(self.pid)
        self._ended.wait()

    def terminate(self, timeout: float) -> int | None:
        """SIGTERM, and the exit status if it ends within `timeout` seconds; None when it is left running."""
        self.signal(signal.SIGTERM)
        return self.wait(timeout)

    def log_tail(self, lines: int = 20) -> str:
        """The last lines that it wrote, secrets redacted; of a long log only the end is read."""
        return "\n".join(redact_text(end_of(self._log)).splitlines()[-lines:])

    def _tell(self, number: str) -> None:
        self.told = True
        self._history.record("process", phase="signalled", pid=self.pid, signal=number, **self._who)

    def _in_thread(self, work: Callable[[], None]) -> None:
        threading.Thread(target=work, name=f"watch-{self.pid}", daemon=True).start()

    def _written(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def _watch(self) -> None:
        # Looked at, not reaped: until the group is dead nobody else can get its number.
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._reaping:
            _kill_group(self.pid)
            self._status = self._popen.wait()
            if self.log != self._log:
                with contextlib.suppress(OSError):  # a full disk is no reason to wait for ever
                    self.log.write_text(redact_text(self._written()), encoding="utf-8")
            self._history.record("process", phase="exited", pid=self.pid, status=self._status, **self._who)
            self._ended.set()


def end_of(log: Path) -> str:
    """The lines at the end of a log, or of a very long last line its end."""
    if not log.exists():
        return ""
    with log.open("rb") as file:
        left_out = max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES)
        file.seek(left_out)
        text = file.read().decode("utf-8", "replace")
    return text.partition("\n")[2] or text if left_out else text


def _spawn(argv: Sequence[str], env: Mapping[str, str], cwd: Path, log: Path) -> subprocess.Popen[bytes]:
    program = shutil.which(argv[0], path=env.get("PATH", os.defpath))
    if program is None:
        raise FileNotFoundError(f"{argv[0]} does not exist or cannot be executed")
    with log.open("wb") as output:
        return subprocess.Popen(
            [*launcher(), program, *argv[1:]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            start_new_session=True,
        )


@cache
def launcher() -> tuple[str, ...]:
    """What makes the kernel kill the program that it starts when the harness ends."""
    setpriv = ("setpriv", "--pdeathsig", "KILL", "--")
    try:
        works = subprocess.run([*setpriv, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return setpriv if works else (sys.executable, "-I", "-S", "-c", _LAUNCHER)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
