"""What a user may have meant by a value that is not known."""

import difflib
from collections.abc import Iterable

_SIMILAR = 0.6


def nearest(value: str, known: Iterable[str]) -> str:
    """Words that name the most similar known value, "" when none is similar; the beginning of one is similar to it."""
    likeness = {name: _likeness(value, name) for name in known}
    best = max(likeness, key=lambda name: likeness[name], default="")
    return f", did you mean {best}" if best and likeness[best] >= _SIMILAR else ""


def _likeness(value: str, name: str) -> float:
    return max(difflib.SequenceMatcher(None, value, part).ratio() for part in (name, name[: len(value)]))
