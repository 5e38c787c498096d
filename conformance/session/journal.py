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

FOLDER = ".begun"
_RUN = "run.json"
_KEPT = "kept.json"
_RESULTS = "results"

Json = dict[str, Any]


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


def begun(report_dir: Path) -> Json | None:
    """What the run was that has begun here and has not come to its end; None where there is none."""
    return _read(report_dir / FOLDER / _RUN)


def results(report_dir: Path) -> dict[str, Json]:
    """The results so far, by node id; of a check that was tried again the last one."""
    found = dict((kept(report_dir) or {}).get("results", {}))
    for file in sorted((report_dir / FOLDER).glob(f"{_RESULTS}*.jsonl")):
        found |= {payload["result"]["node_id"]: payload for payload in _lines(file)}
    return found


def keep(report_dir: Path, what: Json) -> None:
    """Settle what the next part of the run takes over; results that are not in it are as if they never were."""
    _write(report_dir / FOLDER / _KEPT, what)
    for file in (report_dir / FOLDER).glob(f"{_RESULTS}*.jsonl"):
        file.unlink()


def kept(report_dir: Path) -> Json | None:
    """What this part of the run has taken over; None where it is the first."""
    return _read(report_dir / FOLDER / _KEPT)


def end(report_dir: Path) -> None:
    """The run has come to its end, or another one begins: there is nothing to go on with."""
    shutil.rmtree(report_dir / FOLDER, ignore_errors=True)


def _lines(file: Path) -> Iterator[Json]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):  # the last one of a run that was killed may be cut
                yield json.loads(line)


def _write(file: Path, value: Json) -> None:
    draft = file.with_suffix(".new")
    draft.write_text(json.dumps(value), encoding="utf-8")
    draft.replace(file)


def _read(file: Path) -> Json | None:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
