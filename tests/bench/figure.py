"""Something that was measured, beside the limit that it has to keep to."""

import sys
from typing import NamedTuple


class Figure(NamedTuple):
    """`limit`: what the value may be at most, or at least where `at_least` is true; None for a figure without one.

    note: what else is known of it.
    """

    what: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def good(self) -> bool:
        """Whether it keeps to its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        text = f"{self.what:<58}{self.value:9.3f} {self.unit:<7}"
        if self.limit is not None:
            word = "at least" if self.at_least else "at most"
            text += f" {word} {self.limit:<6.4g}" + ("" if self.good else " MISSED")
        return f"{text}  {self.note}".rstrip()


def say(line: object = "") -> None:
    """Print a line at once: a bench takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
