"""Ranges of sizes and costs: from the least to the most, in the arithmetic of uint64 that stops at its end."""

import math
from typing import NamedTuple

END = 2**64 - 1


class Range(NamedTuple):
    """A size or a cost that is not known exactly."""

    least: int
    most: int

    def plus(self, other: "Range") -> "Range":
        """The sum."""
        return Range(min(self.least + other.least, END), min(self.most + other.most, END))

    def times(self, other: "Range") -> "Range":
        """The product."""
        return Range(min(self.least * other.least, END), min(self.most * other.most, END))

    def scaled(self, factor: float) -> "Range":
        """The product with a factor, rounded up."""
        return Range(_scaled(self.least, factor), _scaled(self.most, factor))

    def union(self, other: "Range") -> "Range":
        """What covers both."""
        return Range(min(self.least, other.least), max(self.most, other.most))


UNKNOWN = Range(0, END)
NOTHING = Range(0, 0)
ONE = Range(1, 1)


def fixed(value: int) -> Range:
    """A range of one value."""
    return Range(value, value)


def _scaled(value: int, factor: float) -> int:
    number = float(value)
    if number > 0 and factor > 0 and number > END / factor:
        return END
    return min(math.ceil(number * factor), END)
