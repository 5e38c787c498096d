"""Mutants as drivers under test."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from tests import variants
from tests.mutants.wrapper import write_wrapped

READY = 6.0  # seconds; many a mutant never gets ready, and the reference does within one
WRAPPED_READY = 15.0  # a wrapper starts a second program, and a proxy for it
RUNNING = 20.0
NOTICED = 5.0
OWN_FINDINGS = {
    "kubernetes-test-driver": frozenset(
        {
            "injection.whole_specs",
            "preparation.device_in_use",
            "preparation.missing_device",
            "registration.clean_exit",  # sometimes: it handles SIGTERM only a while after it has registered
            "restart.recovers",
        }
    ),
}
"""Checks that find something in a driver that ships, with nothing around it."""


@dataclass(frozen=True)
class Mutant:
    """One wrong driver. `name` is the name of its fault, `title` the sentence that says what is wrong.

    caught_by: the checks that find it, all of them. breaks: the requirements that it breaks, all that checks find
    broken, the one that it is for first. base: the driver file that ships whose driver it is a change of. wraps:
    whether it stands around that driver and changes nothing in it. own: checks that find something in the base itself.
    also: checks that may find it, too, and why.
    """

    module: str
    name: str
    title: str
    caught_by: tuple[str, ...]
    breaks: tuple[str, ...]
    base: str
    extra: Mapping[str, Any]
    wraps: bool = False
    own: frozenset[str] = frozenset()
    also: Mapping[str, str] = field(default_factory=dict)

    def write_driver_file(self, folder: Path) -> Path:
        """The driver file of its base, with the mutant in the driver's place."""
        if self.wraps:
            limits = {"ready": WRAPPED_READY, "podRunning": RUNNING, "notice": NOTICED}
            return write_wrapped(folder, self.base, self.module, **limits)
        return variants.write_driver_file(
            folder, self.module, self.extra, base=self.base, ready=READY, podRunning=RUNNING, notice=NOTICED
        )


def all_mutants() -> list[Mutant]:
    """Every mutant module of this folder, by name; one that wraps several drivers is a mutant of each."""
    return [mutant for module in variants.modules("tests.mutants") for mutant in _mutants(module)]


def _mutants(module: ModuleType) -> list[Mutant]:
    if not hasattr(module, "WRAPS"):
        return [_mutant(module, module.FAULT, getattr(module, "BASE", "reference"))]
    first, *others = module.WRAPS
    names = {first: module.FAULT, **{base: f"{module.FAULT}-{base}" for base in others}}
    return [
        replace(_mutant(module, name, base), wraps=True, own=OWN_FINDINGS.get(base, frozenset()))
        for base, name in names.items()
    ]


def _mutant(module: ModuleType, name: str, base: str) -> Mutant:
    return Mutant(
        module=module.__name__,
        name=name,
        title=(module.__doc__ or "").strip(),
        caught_by=_of(module.CAUGHT_BY, base),
        breaks=_of(getattr(module, "BREAKS", ()), base),
        base=base,
        extra=getattr(module, "EXTRA", {}),
        also=getattr(module, "ALSO", {}),
    )


def _of(ids: Mapping[str, tuple[str, ...]] | tuple[str, ...], base: str) -> tuple[str, ...]:
    """What is the same for all drivers that a module wraps, or said of each."""
    return ids if isinstance(ids, tuple) else ids[base]
