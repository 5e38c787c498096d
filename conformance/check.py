"""`@check`: the header that makes a pytest function a conformance check."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

import pytest

Function = TypeVar("Function", bound=Callable[..., Any])

_HEADER = "dra_check"


class Tier(StrEnum):
    """What a check disturbs; each tier includes the ones before it."""

    OBSERVE = "observe"
    DISRUPT_DRIVER = "disrupt-driver"
    DISRUPT_NODE = "disrupt-node"

    def includes(self, other: "Tier") -> bool:
        """Whether a run of this tier may run a check of tier `other`."""
        order = list(Tier)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True)
class Check:
    """The header of a check.

    id: stable, `<area>.<behaviour>`, never used again for another behaviour.
    covers: ids of the requirements that the body judges with `expect`.
    needs: ids of checks that must have passed; else this one is BLOCKED.
    profile: `core`, an optional feature, `hardening`, `scale` or `vendor:<name>`.
    tier: what it disturbs.
    features: features the driver must claim or show; else NOT_APPLICABLE.
    hooks: hooks the driver file must have; else NOT_RUN.
    claims: how many valid claims the node must hold at once; the driver offers fewer: NOT_APPLICABLE.
    at_end: judged from the history after all other checks; waits for nothing of its own.
    """

    id: str
    covers: tuple[str, ...]
    needs: tuple[str, ...] = ()
    profile: str = "core"
    tier: Tier = Tier.OBSERVE
    features: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    claims: int = 0
    at_end: bool = False
    title: str = ""

    @property
    def area(self) -> str:
        """The part of the contract it is about: the id up to the first dot."""
        return self.id.partition(".")[0]


def check(
    id: str,
    *,
    covers: Sequence[str],
    needs: Sequence[str] = (),
    profile: str = "core",
    tier: Tier = Tier.OBSERVE,
    features: Sequence[str] = (),
    hooks: Sequence[str] = (),
    claims: int = 0,
    at_end: bool = False,
) -> Callable[[Function], Function]:
    """Make a pytest function a check; its first docstring line says the behaviour in plain words."""

    def mark(function: Function) -> Function:
        title = (function.__doc__ or "").strip().splitlines()
        if not title:
            raise pytest.UsageError(
                f"check {id}: {function.__name__} has no docstring; say the behaviour in its first line"
            )
        header = Check(
            id=id,
            covers=tuple(covers),
            needs=tuple(needs),
            profile=profile,
            tier=tier,
            features=tuple(features),
            hooks=tuple(hooks),
            claims=claims,
            at_end=at_end,
            title=title[0],
        )
        setattr(function, _HEADER, header)
        return function

    return mark


def header_of(function: object) -> Check | None:
    """The header of a check function, or None for an ordinary test."""
    header = getattr(function, _HEADER, None)
    return header if isinstance(header, Check) else None
