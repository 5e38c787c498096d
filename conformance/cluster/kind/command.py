"""Commands of others, and what is said when one fails: its last words, in one sentence."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from conformance.verdict import Inconclusive

_LONGEST = 400


def run(
    argv: Sequence[str | Path],
    what: str,
    *,
    timeout: float,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> str:
    """What a command prints. `what` says what it is to do, for the error; `log` also gets all that it prints.

    Raises Inconclusive.
    """
    words = [str(word) for word in argv]
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            env={**os.environ, **(env or {})},
            check=False,
        )
    except OSError as error:
        raise Inconclusive(f"cannot {what}: {words[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise Inconclusive(f"cannot {what}: {words[0]} took longer than {timeout:g} s") from None
    if log:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(words)}\n{done.stdout}{done.stderr}")
    if done.returncode != 0:
        raise Inconclusive(f"cannot {what}: {last_words(done.stderr or done.stdout)}")
    return done.stdout


def last_words(text: str) -> str:
    """The line that says most likely what went wrong, cut to a sentence's length."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if line.lower().startswith(("error", "e:", "fatal"))]
    return (told or lines or ["it said nothing"])[-1][:_LONGEST]
