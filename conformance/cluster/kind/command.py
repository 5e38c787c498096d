"""Commands of others: they die with the harness, and what is said when one fails is one sentence."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from conformance.cluster.local.process import launcher
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

_ENDS_WITHIN = 5.0
_LONGEST = 400
_MEANINGS = {
    "no space left on device": "the disk is full; `docker system df` shows what Docker has on it",
    "permission denied while trying to connect": "this user may not talk to the Docker engine",
    "cannot connect to the docker daemon": "no Docker engine answers",
    "exec format error": "a program in the image is for another architecture than this machine",
    "no matching manifest for": "there is none for the architecture of this machine",
}


def run(
    argv: Sequence[str | Path],
    what: str,
    *,
    timeout: float,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    log: Path | None = None,
) -> str:
    """What a command prints. `what` says what it is to do, for the error; `log` also gets all that it prints.

    Raises Inconclusive.
    """
    words = [str(word) for word in argv]
    with started(words, what, env=env, cwd=cwd, stderr=subprocess.PIPE) as child:
        try:
            out, err = (raw.decode(errors="replace") for raw in child.communicate(timeout=timeout))
        except subprocess.TimeoutExpired:
            raise Inconclusive(f"cannot {what}: {words[0]} took longer than {timeout:g} s") from None
    if log:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(words)}\n{out}{err}")
    if child.returncode != 0:
        raise Inconclusive(f"cannot {what}: {last_words(err or out)}")
    return out


def follow(argv: Sequence[str | Path], what: str, say: Say, *, env: Mapping[str, str] | None = None) -> None:
    """Run a command whose lines on standard error tell how it goes. Raises Inconclusive."""
    lines = []
    with (
        tempfile.TemporaryFile() as nowhere,
        started([str(word) for word in argv], what, env=env, stdout=nowhere) as child,
    ):
        assert child.stderr is not None
        for raw in child.stderr:
            lines.append(raw.decode(errors="replace").rstrip())
            say(lines[-1])
    if child.returncode != 0:
        raise Inconclusive(f"cannot {what}: {last_words(chr(10).join(lines))}")


@contextmanager
def started(
    words: Sequence[str],
    what: str,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> Iterator[subprocess.Popen[bytes]]:
    """A command that runs, and has ended after the block; what it started dies with it when the block is left early.

    The kernel kills it when the harness ends, however that ends. Raises Inconclusive when there is no such command.
    """
    environment = {**os.environ, **(env or {})}
    program = shutil.which(words[0], path=environment.get("PATH", os.defpath))
    if program is None:
        raise Inconclusive(f"cannot {what}: {words[0]}: No such file or directory")
    with subprocess.Popen(
        [*launcher(), program, *words[1:]],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        env=environment,
        cwd=cwd,
        start_new_session=True,
    ) as child:
        try:
            yield child
            child.wait()
        except BaseException:
            _stop(child)
            raise


def end(child: subprocess.Popen[bytes]) -> None:
    """SIGKILL to a command that was started here and to all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def _stop(child: subprocess.Popen[bytes]) -> None:
    """First asked to end, as it may have something to clean up."""
    try:
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, signal.SIGTERM)
            child.wait(_ENDS_WITHIN)
    finally:
        end(child)


def last_words(text: str) -> str:
    """What most likely went wrong, in a sentence: what is known by its words, else the line that says so, cut."""
    for words, meaning in _MEANINGS.items():
        if words in text.lower():
            return meaning
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if re.match(r"(docker: )?(error|e:|fatal)", line, re.IGNORECASE)]
    return re.sub(r"^(docker: )?Error response from daemon: ", "", (told or lines or ["it said nothing"])[-1])[
        :_LONGEST
    ]
