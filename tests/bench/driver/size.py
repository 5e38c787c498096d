"""How much is measured."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Size:
    """`pairs`: in a round, by the number of callers at once. `held`: claims that both drivers hold, case by case.

    many: claims that ours holds in one more case; starts: of each kind; steps: pairs of which the steps are clocked;
    times: of what is done without a driver; idle: seconds.
    """

    rounds: int = 5
    pairs: Mapping[int, int] = field(default_factory=lambda: {1: 200, 10: 400})
    held: tuple[int, ...] = (0, 400)
    many: int = 1000
    starts: int = 3
    steps: int = 300
    times: int = 200
    idle: float = 60.0


FULL = Size()
"""What `make bench` measures."""
