"""What a run keeps on disk while it goes on, so that it can be gone on with: what it is, and each result as it comes.

A result is written before the history says that its check has ended, by the same process: so what has ended there has
its result here, also after SIGKILL.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.redact import redact
from conformance.session import aside

FOLDER = ".begun"
_RUN = "run.json"
_KEPT = "kept.json"
_RESULTS = "results"

Json = dict[str, Any]


class JournalError(Exception):
    """What a run has kept cannot be read; the text says which file, and why."""


def refusal(error: Exception) -> str:
    """What is said where `--resume` finds something that cannot be read."""
    return f"--resume: {error}; mend it, or leave --resume out to begin anew"


def begin(report_dir: Path, run: Json) -> None:
    """Say what the run is, once it is known what it selects."""
    folder = report_dir / FOLDER
    folder.mkdir(exist_ok=True)
    _write(folder / _RUN, run)


def note(report_dir: Path, worker: str, payload: Json) -> None:
    """Keep the result of a check that is about to end."""
    name = f"{_RESULTS}-{worker}.jsonl" if worker else f"{_RESULTS}.jsonl"
    with (report_dir / FOLDER / name).open("a", encoding="utf-8") as file:
        file.write(json.dumps(redact(payload), separators=(",", ":")) + "\n")


def is_begun(report_dir: Path) -> bool:
    """Whether a run has begun here and has not come to its end."""
    return (report_dir / FOLDER / _RUN).exists()


def begun(report_dir: Path) -> Json | None:
    """What the run was that has begun here and has not come to its end; None where there is none.

    Another one that was killed before it came to its checks has perhaps set it aside. Raises JournalError.
    """
    return _read(report_dir / FOLDER / _RUN, "Run") or _read(aside.place(report_dir, FOLDER) / _RUN, "Run")


def results(report_dir: Path) -> dict[str, Json]:
    """The results so far, by node id; of a check that was tried again the last one. Raises JournalError."""
    before = _read(report_dir / FOLDER / _KEPT, "Kept")
    found = dict(before["results"]) if before else {}
    for file in sorted((report_dir / FOLDER).glob(f"{_RESULTS}*.jsonl")):
        found |= {payload["result"]["node_id"]: payload for payload in _lines(file)}
    return found


def keep(report_dir: Path, what: Json) -> None:
    """Settle what the next part of the run takes over; results that are not in it are as if they never were."""
    _write(report_dir / FOLDER / _KEPT, what)
    for file in (report_dir / FOLDER).glob(f"{_RESULTS}*.jsonl"):
        file.unlink()


def end(report_dir: Path) -> None:
    """The run has come to its end: there is nothing to go on with."""
    shutil.rmtree(report_dir / FOLDER, ignore_errors=True)


def _lines(file: Path) -> Iterator[Json]:
    for line in _text(file).split("\n")[:-1]:  # the last one of a run that was killed may be cut
        yield _parsed(file, line, "Payload")


def _write(file: Path, value: Json) -> None:
    draft = file.with_suffix(".new")
    draft.write_text(json.dumps(value), encoding="utf-8")
    draft.replace(file)


def _read(file: Path, form: str) -> Json | None:
    return _parsed(file, _text(file), form) if file.exists() else None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{file}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _parsed(file: Path, text: str, form: str) -> Json:
    """JSON of this form. Raises JournalError."""
    from conformance.session import forms  # what this needs is read only where a run goes on

    try:
        value = json.loads(text)
        wrong = forms.misfit(value, getattr(forms, form))
    except (ValueError, RecursionError) as error:
        wrong = f"no JSON: {error}"
    if wrong:
        raise JournalError(f"{file}: is none that a run of this version writes ({wrong})")
    return dict(value)
