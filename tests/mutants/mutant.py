"""Mutants as drivers under test."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tests import variants

READY = 6.0  # seconds; many a mutant never gets ready, and the reference does within one
RUNNING = 20.0
NOTICED = 5.0


@dataclass(frozen=True)
class Mutant:
    """One wrong driver. `name` is the name of its fault, `title` the sentence that says what is wrong.

    caught_by: the checks that find it, all of them. breaks: the requirements that it breaks, all that checks find
    broken, the one that it is for first. base: the driver file that ships whose driver it is a change of.
    """

    module: str
    name: str
    title: str
    caught_by: tuple[str, ...]
    breaks: tuple[str, ...]
    base: str
    extra: Mapping[str, Any]

    def write_driver_file(self, folder: Path) -> Path:
        """The driver file of its base, with the mutant in the driver's place."""
        return variants.write_driver_file(
            folder, self.module, self.extra, base=self.base, ready=READY, podRunning=RUNNING, notice=NOTICED
        )


def all_mutants() -> list[Mutant]:
    """Every mutant module of this folder, by name."""
    return [_mutant(module) for module in variants.modules("tests.mutants")]


def _mutant(module: ModuleType) -> Mutant:
    return Mutant(
        module=module.__name__,
        name=module.FAULT,
        title=(module.__doc__ or "").strip(),
        caught_by=module.CAUGHT_BY,
        breaks=getattr(module, "BREAKS", ()),
        base=getattr(module, "BASE", "reference"),
        extra=getattr(module, "EXTRA", {}),
    )
