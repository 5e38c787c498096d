"""Positions in a list that are out of the question, passed over without looking at each."""


class RuledOut:
    """Starts with nothing ruled out; what is ruled out stays so."""

    def __init__(self, length: int) -> None:
        # Where to look next: at the position itself, or further on when it is ruled out.
        self._next = list(range(length + 1))

    def add(self, at: int) -> None:
        """Rule a position out."""
        self._next[at] = at + 1

    def first(self, at: int) -> int:
        """The first position from `at` on that is not ruled out; the length of the list when there is none."""
        found = at
        while self._next[found] != found:
            found = self._next[found]
        while at != found:
            self._next[at], at = found, self._next[at]
        return found
