"""Mutants as drivers under test."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from conformance.verdict import Verdict
from tests import variants

FINDING = (Verdict.FAIL, Verdict.WARN)
READY = 6.0  # seconds; many a mutant never gets ready, and the reference does within one
RUNNING = 20.0


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
        return variants.write_driver_file(folder, self.module, self.extra, ready=READY, podRunning=RUNNING)


def all_mutants() -> list[Mutant]:
    """Every mutant module of this folder, by name."""
    return [_mutant(module) for module in variants.modules("tests.mutants")]


def _mutant(module: ModuleType) -> Mutant:
    title = (module.__doc__ or "").strip()
    return Mutant(module.__name__, module.FAULT, title, module.CAUGHT_BY, getattr(module, "EXTRA", {}))
