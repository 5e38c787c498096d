"""Pools that are complete, and those that are not."""

from typing import Any

import pytest

from conformance.cluster.local.readiness import incomplete_pools


def part(pool: str, generation: int, count: int) -> dict[str, Any]:
    return {"spec": {"pool": {"name": pool, "generation": generation, "resourceSliceCount": count}}}


@pytest.mark.parametrize(
    ("slices", "missing"),
    [
        ([part("a", 1, 1)], []),
        ([part("a", 1, 2), part("a", 1, 2), part("b", 7, 1)], []),
        ([part("a", 1, 2)], ["pool a has 1 of 2 slices of generation 1"]),
        ([part("a", 1, 1), part("a", 2, 2)], ["pool a has 1 of 2 slices of generation 2"]),
        ([part("a", 1, 9), part("a", 2, 1)], []),
        (
            [part("b", 1, 2), part("a", 1, 1), part("a", 1, 1)],
            ["pool a has 2 of 1 slices of generation 1", "pool b has 1 of"],
        ),
    ],
)
def test_only_the_newest_generation_counts(slices: list[dict[str, Any]], missing: list[str]) -> None:
    found = incomplete_pools(slices)
    assert len(found) == len(missing)
    assert all(text.startswith(want) for text, want in zip(found, missing, strict=True))
