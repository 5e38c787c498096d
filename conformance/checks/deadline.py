"""Deadlines that the kubelet enforces: broken only when passed three times while a probe met its own.

A machine that is too busy makes any driver late. So a process that has nothing to do but answer is asked at the same
time, and must have been quick throughout.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from conformance.cluster import Answer, Backend, Shared
from conformance.verdict import Inconclusive

T = TypeVar("T")

DEADLINE = 45.0  # seconds that the kubelet gives Prepare and Unprepare
TRIES = 3
_SHARE = 4  # the probe's own deadline is this part of the driver's
_ASKED = 20  # times within one deadline
_ANSWERS = "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line)\n    sys.stdout.flush()\n"


def missed(backend: Backend, limit: float, late: Callable[[], bool]) -> bool:
    """Whether three tries out of three, made at the same time, all pass a deadline of `limit` seconds.

    `late` makes one try, and says whether it passed the deadline. Raises Inconclusive when the probe was late, too, or
    where none can run on the driver's machine.
    """
    if isinstance(backend, Shared):
        raise Inconclusive(f"a call took {limit:g} s; whether the machine of the driver was too busy is not known")
    return all(tried(limit, late))


def in_time(call: Callable[[], Answer]) -> Answer | None:
    """The answer to a Prepare or Unprepare that came in time, None when three out of three did not.

    Raises Inconclusive when the probe was late, too.
    """
    return next((answer for answer in tried(DEADLINE, call) if not answer.late), None)


def tried(limit: float, call: Callable[[], T]) -> list[T]:
    """What came of three calls that are made at the same time. Raises Inconclusive when the machine is too busy."""
    with Probe() as probe, ThreadPoolExecutor(TRIES) as pool:
        tries = [pool.submit(call) for _ in range(TRIES)]
        slowest = probe.ask()
        while wait(tries, timeout=limit / _ASKED).not_done:
            slowest = max(slowest, probe.ask())
    if slowest > limit / _SHARE:
        raise Inconclusive(
            f"a call took {limit:g} s, and a process that only answers took {slowest:.1f} s: the machine is too busy"
        )
    return [each.result() for each in tries]


class Probe:
    """A process that answers at once, as long as the machine lets it."""

    def __enter__(self) -> "Probe":
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ANSWERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask()  # its start does not count
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process; may be called twice."""
        self._process.kill()
        self._process.communicate()

    def ask(self) -> float:
        """Seconds that it took to answer. Raises Inconclusive when it has ended."""
        asked = time.monotonic()
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            answered = self._process.stdout.readline()
        except (OSError, ValueError):
            answered = ""
        if not answered:
            raise Inconclusive("the process that tells whether the machine is too busy has ended")
        return time.monotonic() - asked
