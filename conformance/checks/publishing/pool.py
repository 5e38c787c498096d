"""Pools as a consumer of ResourceSlices sees them: the slices of the highest generation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Object = dict[str, Any]


@dataclass(frozen=True)
class Pool:
    """One pool of a driver: the slices of its highest generation, by name."""

    name: str
    generation: int
    slices: tuple[Object, ...]

    @property
    def devices(self) -> list[Object]:
        """Devices of all slices, in order."""
        return [device for item in self.slices for device in item["spec"].get("devices") or []]

    @property
    def counts(self) -> set[int]:
        """The numbers of slices that the slices claim; one number in a good pool."""
        return {item["spec"]["pool"]["resourceSliceCount"] for item in self.slices}

    @property
    def complete(self) -> bool:
        """Whether a consumer may allocate from it."""
        return self.counts == {len(self.slices)}


def pools_of(slices: Sequence[Object]) -> list[Pool]:
    """The pools that some slices of one driver make up, by name."""
    named: dict[str, list[Object]] = {}
    for item in slices:
        named.setdefault(item["spec"]["pool"]["name"], []).append(item)
    return [_newest(name, items) for name, items in sorted(named.items())]


def _newest(name: str, items: list[Object]) -> Pool:
    generation = max(item["spec"]["pool"]["generation"] for item in items)
    newest = [item for item in items if item["spec"]["pool"]["generation"] == generation]
    return Pool(name, generation, tuple(sorted(newest, key=lambda item: str(item["metadata"]["name"]))))
