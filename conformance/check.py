"""`@check`: the header that makes a pytest function a conformance check."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from conformance.requirement import Requirement

Function = TypeVar("Function", bound=Callable[..., Any])

_HEADER = "dra_check"
VENDOR = "vendor:"
"""How the profiles of checks begin that are not ours: they are shown, and never count as conformance."""


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
    own: those of the requirements covered that a vendor has made, for its own checks.
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
    own: "tuple[Requirement, ...]" = ()

    @property
    def area(self) -> str:
        """The part of the contract it is about: the id up to the first dot."""
        return self.id.partition(".")[0]


def check(
    id: str,
    *,
    covers: "Sequence[str | Requirement]",
    needs: Sequence[str] = (),
    profile: str = "core",
    tier: Tier = Tier.OBSERVE,
    features: Sequence[str] = (),
    hooks: Sequence[str] = (),
    claims: int = 0,
    at_end: bool = False,
) -> Callable[[Function], Function]:
    """Make a pytest function a check; its first docstring line says the behaviour in plain words.

    Checks of a vendor may cover requirements of its own. Raises pytest.UsageError for a header that cannot be.
    """
    own = tuple(entry for entry in covers if not isinstance(entry, str))
    _check_own(id, profile, own)

    def mark(function: Function) -> Function:
        title = (function.__doc__ or "").strip().splitlines()
        if not title:
            raise pytest.UsageError(
                f"check {id}: {function.__name__} has no docstring; say the behaviour in its first line"
            )
        header = Check(
            id=id,
            covers=tuple(entry if isinstance(entry, str) else entry.id for entry in covers),
            needs=tuple(needs),
            profile=profile,
            tier=tier,
            features=tuple(features),
            hooks=tuple(hooks),
            claims=claims,
            at_end=at_end,
            title=title[0],
            own=own,
        )
        setattr(function, _HEADER, header)
        return function

    return mark


def _check_own(id: str, profile: str, own: "Sequence[Requirement]") -> None:
    if not own:
        return
    from conformance.requirement import catalogue  # ours need not read it at once

    if not profile.startswith(VENDOR):
        raise pytest.UsageError(f"check {id}: requirements of your own are for profile={VENDOR}<name>; give that")
    for requirement in own:
        if requirement.id in catalogue():
            raise pytest.UsageError(f"check {id}: {requirement.id} is a requirement of the suite; give another id")


def header_of(function: object) -> Check | None:
    """The header of a check function, or None for an ordinary test."""
    header = getattr(function, _HEADER, None)
    return header if isinstance(header, Check) else None
