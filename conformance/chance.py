"""What a check leaves to chance: drawn from the run's seed, so that it can be drawn again."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Chance:
    """Draws for one check: the same for the same seed, whatever else is run. As text, the option with the seed."""

    seed: int
    draws: random.Random

    @classmethod
    def of(cls, seed: int, check: str) -> "Chance":
        """The draws of a check, by its id, in a run with this seed."""
        return cls(seed, random.Random(f"{seed}/{check}"))

    def __str__(self) -> str:
        return f"--conformance-seed={self.seed}"
