"""Variants of the reference driver as drivers under test: their driver files, and the verdicts of a whole run."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Protocol, TypeVar

import yaml

import conformance
from conformance.verdict import Verdict


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """The name."""
        ...


Driver = TypeVar("Driver", bound=Named)

ROOT = Path(__file__).parents[1]
DRIVERS = Path(conformance.__file__).parent / "drivers"
REFERENCE = DRIVERS / "reference.yaml"
_LIMIT = 600.0  # seconds for one run


@dataclass(frozen=True)
class Judged:
    """What a run said of one check: its verdict, why, and the requirements that it found broken."""

    verdict: Verdict
    message: str
    broken: frozenset[str]


def modules(package: str) -> list[ModuleType]:
    """The modules of a package below tests/ that hold a driver, by name."""
    folder = ROOT / package.replace(".", "/")
    names = [info.name for info in iter_modules([str(folder)]) if not info.name.startswith(("test_", "__"))]
    found = [import_module(f"{package}.{name}") for name in names]
    return [module for module in sorted(found, key=lambda module: module.__name__) if hasattr(module, "main")]


def sampled(drivers: Sequence[Driver], count: int) -> Sequence[Driver]:
    """So many of the drivers, others for another DRA_SEED in the environment; all of them with DRA_ALL=1."""
    return drivers if os.environ.get("DRA_ALL") == "1" else sample(drivers, count, os.environ.get("DRA_SEED", "29"))


def sample(drivers: Sequence[Driver], count: int, seed: str) -> list[Driver]:
    """So many of the drivers by their names, the same for the same seed; one that is new takes the place of one."""
    return sorted(drivers, key=lambda driver: hashlib.sha256(f"{seed}/{driver.name}".encode()).digest())[:count]


def write_driver_file(
    folder: Path, module: str, extra: Mapping[str, Any], *, base: str = "reference", **limits: float
) -> Path:
    """A driver file of the reference driver with the module in its place; `extra` replaces sections.

    base: which of the files that ship. Of `extra`, `driver` is merged into drivers[0], and `nextVersionArguments` are
    those that start the next version.
    """
    file = yaml.safe_load((DRIVERS / f"{base}.yaml").read_text(encoding="utf-8"))
    command = [part if part != "reference_driver.gpu" else module for part in file["process"]["command"]]
    file["process"] = {"command": command, "env": {"PYTHONPATH": str(ROOT)}}
    sections = dict(extra)
    next_version = sections.pop("nextVersionArguments", None)
    if next_version:
        file["process"]["nextVersion"] = {"command": [*command, *next_version]}
    file["drivers"][0] |= sections.pop("driver", {})
    if "install" in file:
        file["install"]["manifests"] = [str((DRIVERS / name).resolve()) for name in file["install"]["manifests"]]
    file |= sections
    if limits:
        file["limits"] = {**file.get("limits", {}), **limits}
    path = folder / f"{module.rpartition('.')[2]}.yaml"
    path.write_text(yaml.safe_dump(file), encoding="utf-8")
    return path


def run(driver_file: Path | str, folder: Path, *options: str) -> dict[str, Verdict]:
    """Verdict by check of a run; arguments and errors are those of `judge`."""
    return {id: judged.verdict for id, judged in judge(driver_file, folder, *options).items()}


def judge(driver_file: Path | str, folder: Path, *options: str) -> dict[str, Judged]:
    """What a run says of each check, from its report.json. Raises AssertionError when there is no whole report in time.

    driver_file: its path, or the name of one that ships.
    """
    # One process: runs of variants go on beside each other, and two lanes take more of the processor's time than one.
    given = [f"--driver={driver_file}", f"--report-dir={folder}", "-n0", *options]
    command = [sys.executable, "-m", "conformance.cli", "run", *given]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            command, cwd=folder.parent, env=environment, capture_output=True, text=True, timeout=_LIMIT
        )
    except subprocess.TimeoutExpired:
        raise AssertionError(f"no report after {_LIMIT:g} s") from None
    assert (folder / "report.json").exists(), f"no report (status {done.returncode}):\n{done.stdout}\n{done.stderr}"
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["outcome"] not in ("interrupted", "error"), f"{report['reason']}\n{done.stdout[-3000:]}"
    return {row["id"]: _judged(row) for row in report["checks"]}


def _judged(row: Mapping[str, Any]) -> Judged:
    broken = frozenset(finding["requirement"] for finding in row["findings"] if not finding["holds"])
    return Judged(Verdict(row["verdict"]), row["message"], broken)
