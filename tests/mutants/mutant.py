"""Mutants as drivers under test: their driver files, and the verdicts of a whole run on one of them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import yaml

import conformance
from conformance.verdict import Verdict

ROOT = Path(__file__).parents[2]
REFERENCE = Path(conformance.__file__).parent / "drivers" / "reference.yaml"
FINDING = (Verdict.FAIL, Verdict.WARN)
READY = 6.0  # seconds; many a mutant never gets ready, and the reference does within one


@dataclass(frozen=True)
class Mutant:
    """One wrong driver. `title` is the sentence that says what is wrong."""

    module: str
    fault: str
    title: str
    caught_by: tuple[str, ...]
    extra: Mapping[str, Any]

    def write_driver_file(self, folder: Path) -> Path:
        """The reference's driver file, with the mutant in its place."""
        file = yaml.safe_load(REFERENCE.read_text(encoding="utf-8"))
        command = [part if part != "reference_driver.gpu" else self.module for part in file["process"]["command"]]
        extra = dict(self.extra)
        next_version = extra.pop("nextVersionArguments", None)
        file["process"] = {"command": command, "env": {"PYTHONPATH": str(ROOT)}}
        if next_version:
            file["process"]["nextVersion"] = {"command": [*command, *next_version]}
        file |= extra | {"limits": {"ready": READY}}
        path = folder / f"{self.fault}.yaml"
        path.write_text(yaml.safe_dump(file), encoding="utf-8")
        return path


def all_mutants() -> list[Mutant]:
    """Every mutant module of this folder, by name."""
    names = sorted(info.name for info in iter_modules([str(Path(__file__).parent)]) if info.name.startswith("m"))
    return [_load(f"tests.mutants.{name}") for name in names if name != "mutant"]


def _load(name: str) -> Mutant:
    module = import_module(name)
    title = (module.__doc__ or "").strip()
    return Mutant(name, module.FAULT, title, module.CAUGHT_BY, getattr(module, "EXTRA", {}))


def run(driver_file: Path, folder: Path) -> dict[str, Verdict]:
    """Verdict by check of a whole run, as its report.json says. Raises AssertionError when there is no whole report."""
    command = [sys.executable, "-m", "conformance.cli", "run", f"--driver={driver_file}", f"--report-dir={folder}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True, timeout=300)
    assert (folder / "report.json").exists(), f"no report (status {done.returncode}):\n{done.stdout}\n{done.stderr}"
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["outcome"] not in ("interrupted", "error"), f"{report['reason']}\n{done.stdout[-3000:]}"
    return {row["id"]: Verdict(row["verdict"]) for row in report["checks"]}
