"""Families of cases, and the cases that a seed stands for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from tests.fidelity.model import Case, Draw

Make = Callable[[Draw], Case]


@dataclass(frozen=True)
class Family:
    """Cases of one kind; `weight` is its share among all families."""

    name: str
    weight: int
    make: Make


FAMILIES: dict[str, Family] = {}


def family(name: str, weight: int = 1) -> Callable[[Make], Make]:
    """Decorator for the function that makes the cases of a family."""

    def register(make: Make) -> Make:
        FAMILIES[name] = Family(name, weight, make)
        return make

    return register


@dataclass(frozen=True)
class Numbered:
    """A case with its place in the run."""

    number: int
    family: str
    case: Case


def cases(seed: int, count: int, only: Sequence[str] = ()) -> list[Numbered]:
    """The first `count` cases of a seed: every family in turn, as often as its weight says."""
    import tests.fidelity.families  # noqa: F401  (registers them)

    chosen = [FAMILIES[name] for name in sorted(FAMILIES) if not only or name in only]
    turns = [row for row in chosen for _ in range(row.weight)]
    made = []
    for number in range(count):
        row = turns[number * _stride(len(turns)) % len(turns)]
        draw = Draw(Random(f"{seed}/{row.name}/{number}"), f"c{number}")
        made.append(Numbered(number, row.name, row.make(draw)))
    return made


def _stride(length: int) -> int:
    """A step that reaches every turn, far apart, so that a few cases are already of many families."""
    from math import gcd

    return next(step for step in range(max(1, length * 5 // 13), length + 1) if gcd(step, length) == 1)
