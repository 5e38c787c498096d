"""What GPUs say of themselves, made such that it can be published."""

import re

from reference_driver.plugin import Version

_LONGEST = 64  # bytes, of a string attribute


def version(told: str) -> Version:
    """A semantic version of what a driver calls its own: 580.95.05 is 580.95.5, a fourth part is left out.

    Texts without a number are 0.0.0: a device that lacks an attribute would make selectors fail that read it.
    """
    parts = [str(int(part)) for part in re.findall(r"\d+", told)[:3]]
    return Version(".".join([*parts, "0", "0", "0"][:3]))


def text(told: str, end: str = "") -> str:
    """As much of it as an attribute may hold, with room for what it is to end in."""
    return told.encode()[: _LONGEST - len(end.encode())].decode(errors="ignore") + end
