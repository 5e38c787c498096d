"""All slices of a cluster, found by node and by pool without looking at each of them."""

from collections.abc import Callable, Sequence
from operator import is_
from typing import Generic, TypeVar

from conformance.cluster.embedded.scheduler.model import Candidate, DeviceId, Json, PoolId

T = TypeVar("T")


class Kept(Generic[T]):
    """What is made of stored objects, which never change: made anew only when one of them is another object."""

    def __init__(self, make: Callable[[Sequence[Json], T | None], T]) -> None:
        """`make` also gets what it made before."""
        self._make = make
        self._of: Sequence[Json] = ()
        self._value: T | None = None

    def of(self, objects: Sequence[Json]) -> T:
        """The value for these objects."""
        if self._value is None or len(objects) != len(self._of) or not all(map(is_, objects, self._of)):
            self._value, self._of = self._make(objects, self._value), objects
        return self._value


class SliceIndex:
    """Slices in their order, and the candidates that their devices are."""

    def __init__(self, slices: Sequence[Json], known: "SliceIndex | None" = None) -> None:
        """`known`: an index of earlier; what it knows of slices that are still the same objects is taken over."""
        self._on_node: dict[str, list[Json]] = {}
        self._shared: list[Json] = []
        self._of_pool: dict[PoolId, list[Json]] = {}
        self._candidates: dict[int, tuple[Json, list[Candidate]]] = {}
        for slice_ in slices:
            self._of_pool.setdefault(pool_id(slice_), []).append(slice_)
            # With the slice in it, which keeps another object from getting its id.
            row = known._candidates.get(id(slice_)) if known else None
            if row:
                self._candidates[id(slice_)] = row
        self.everywhere = {
            pool for pool, own in self._of_pool.items() if all(row["spec"].get("allNodes") for row in own)
        }
        """Pools that all nodes see alike."""
        for slice_ in slices:
            node = slice_["spec"].get("nodeName")
            if node:
                self._on_node.setdefault(node, []).append(slice_)
            elif pool_id(slice_) not in self.everywhere:
                self._shared.append(slice_)

    def near(self, node: str) -> list[Json]:
        """Slices for the node of that name alone, then those that may be for it; none of a pool that is everywhere."""
        return [*self._on_node.get(node, ()), *self._shared]

    def of_pool(self, pool: PoolId) -> list[Json]:
        """All slices of a pool, whatever generation."""
        return self._of_pool.get(pool, [])

    def candidates(self, slice_: Json) -> list[Candidate]:
        """The devices of a slice, in their order; always the same objects for a slice."""
        found = self._candidates.get(id(slice_))
        if found is None:
            id_ = pool_id(slice_)
            devices = slice_["spec"].get("devices") or ()
            made = [Candidate(DeviceId(*id_, device["name"]), device, slice_) for device in devices]
            found = self._candidates[id(slice_)] = (slice_, made)
        return found[1]


def pool_id(slice_: Json) -> PoolId:
    """The pool that a slice belongs to."""
    return PoolId(slice_["spec"]["driver"], slice_["spec"]["pool"]["name"])


def generation(slice_: Json) -> int:
    """The generation of the pool that the slice belongs to."""
    return int(slice_["spec"]["pool"].get("generation") or 0)
