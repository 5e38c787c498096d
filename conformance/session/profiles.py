"""The profiles that can be asked for, and which checks are of which."""

from conformance import kep5970
from conformance.check import VENDOR, Check

PROFILES = (
    "core",
    "rolling-update",
    "health",
    "partitionable",
    "consumable-capacity",
    "taints",
    "admin-access",
    "device-status",
    "prioritized-list",
    "extended-resource",
    "binding-conditions",
    "metadata",
    "network",
    "hardening",
    "scale",
    kep5970.PROFILE,
)

ON_DEMAND = ("hardening", "scale", kep5970.PROFILE)
"""Those that take long, or that others say more about."""

_NAMED = {kep5970.PROFILE: kep5970.CHECKS}
"""Checks that belong to a profile besides those that say so themselves."""


def belongs(check: Check, profiles: tuple[str, ...]) -> bool:
    """Whether a check is of one of the profiles.

    A vendor's own checks always are: they are there because their folder was named on the command line.
    """
    named = {id for profile in profiles for id in _NAMED.get(profile, ())}
    return check.profile in profiles or check.id in named or check.profile.startswith(VENDOR)
