"""Whole runs of drivers that tests make are kept for `make index`, so that it need not make them again."""

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

FILES = ("report.json", "history.jsonl")
WITHOUT_VERDICT = ("interrupted", "error", "nothing-collected")
"""Outcomes of runs that did not come to their end, or have not yet."""


def keep(report: Path) -> None:
    """Keep a run where DRA_RUNS in the environment names a folder; it replaces that of its driver and cluster."""
    if "DRA_RUNS" not in os.environ:
        return
    runs = Path(os.environ["DRA_RUNS"])
    runs.mkdir(parents=True, exist_ok=True)
    value = json.loads((report / "report.json").read_text(encoding="utf-8"))
    place = runs / f"{Path(value['driver']['file']).stem}-{value['cluster']['kind']}"
    with tempfile.TemporaryDirectory(dir=runs, prefix=".") as name:
        new = Path(name) / "run"
        new.mkdir()
        for file in FILES:
            shutil.copyfile(report / file, new / file)
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # another worker has kept the same meanwhile
            os.replace(new, place)


def kept(runs: Path, suite: str) -> dict[str, list[Path]]:
    """Runs that came to their end and that this suite, by its digest, has made: their folders, by driver file."""
    found: dict[str, list[Path]] = {}
    for file in sorted(runs.glob("*/report.json")):
        value = json.loads(file.read_text(encoding="utf-8"))
        if value["suite"]["digest"] == suite and value["outcome"] not in WITHOUT_VERDICT:
            found.setdefault(value["driver"]["file"], []).append(file.parent)
    return found
