"""Semantic versions (semver.org 2.0.0), as used by `version` attributes."""

import re
from dataclasses import dataclass
from functools import lru_cache, total_ordering

_SYNTAX = re.compile(
    r"(?P<major>0|[1-9]\d*)\.(?P<minor>0|[1-9]\d*)\.(?P<patch>0|[1-9]\d*)"
    r"(?:-(?P<pre>(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?",
    re.ASCII,
)

_MOST = str(2**64 - 1)


class SemverError(ValueError):
    """A text that is not a semantic version."""


@total_ordering
@dataclass(frozen=True)
class Semver:
    """A version; build metadata is left out, as it takes no part in comparisons."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()

    def _key(self) -> tuple[object, ...]:
        # A version comes after its pre-releases; numeric identifiers come before others.
        pre = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.pre)
        return (self.major, self.minor, self.patch, not self.pre, pre)

    def __lt__(self, other: "Semver") -> bool:
        return self._key() < other._key()

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}" + ("-" + ".".join(self.pre) if self.pre else "")


@lru_cache(maxsize=4096)
def parse(text: str, *, normalize: bool = False) -> Semver:
    """The version. `normalize` takes a leading v, missing parts and leading zeros away first. Raises SemverError."""
    text = _normalized(text) if normalize else text
    match = _SYNTAX.fullmatch(text)
    if not match:
        raise SemverError(_why(text))
    pre = tuple(match["pre"].split(".")) if match["pre"] else ()
    for number in (match["major"], match["minor"], match["patch"], *filter(str.isdecimal, pre)):
        if len(number) > len(_MOST) or (len(number) == len(_MOST) and number > _MOST):
            raise SemverError(f'strconv.ParseUint: parsing "{number}": value out of range')
    return Semver(int(match["major"]), int(match["minor"]), int(match["patch"]), pre)


def _why(text: str) -> str:
    """What is wrong with a text, as Kubernetes' parser says it (github.com/blang/semver)."""
    if not text:
        return "Version string empty"
    parts = text.split(".", 2)
    if len(parts) < 3:
        return "No Major.Minor.Patch elements found"
    rest = parts[2].partition("+")[0].partition("-")
    parts[2] = rest[0]
    for name, part in zip(("Major", "Minor", "Patch"), parts, strict=True):
        if not part:
            return 'strconv.ParseUint: parsing "": invalid syntax'
        if not (part.isascii() and part.isdecimal()):
            return f'Invalid character(s) found in {name.lower()} number "{part}"'
        if part != "0" and part.startswith("0"):
            return f'{name} number must not contain leading zeroes "{part}"'
    if rest[1] and not all(rest[2].split(".")):
        return "Prerelease is empty"
    return f'Invalid character(s) found in prerelease or build meta data "{text}"'


def _normalized(text: str) -> str:
    """Without a leading v and leading zeros, with the numbers that are missing (normalizeAndParse of semverlib.go)."""
    parts = text.removeprefix("v").split(".", 2)
    for index, part in enumerate(parts):
        if len(part.encode()) > 1:
            stripped = part.lstrip("0")
            parts[index] = stripped if stripped[:1] in set("0123456789") else f"0{stripped}"
    if len(parts) < 3:
        if any(mark in parts[-1] for mark in "+-"):
            raise SemverError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)
