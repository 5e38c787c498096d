"""Shared counters: partitions of one device draw on what it has.

Source: checkAvailableCounters in dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go.
"""

from collections.abc import Iterator
from decimal import Decimal

from conformance.cluster.embedded.scheduler import quantity
from conformance.cluster.embedded.scheduler.model import Allocated, Candidate, DeviceId, Json, PoolId
from conformance.cluster.embedded.scheduler.pools import Pool

# A counter is known by its counter set and its name.
Key = tuple[str, str]


class Counters:
    """What is left of the counters of all pools during one search."""

    def __init__(self, pools: list[Pool], allocated: Allocated) -> None:
        self._pools = {pool.id: pool for pool in pools if pool.counter_sets}
        self._allocated = allocated
        self._left: dict[PoolId, dict[Key, Decimal]] = {}

    def reserve(self, candidate: Candidate) -> bool:
        """Take what the device consumes; False, and nothing taken, when a counter of the pool would fall below zero."""
        left = self._of_pool(_pool_of(candidate))
        self._add(left, candidate, -1)
        if all(amount >= 0 for amount in left.values()):
            return True
        self._add(left, candidate, 1)
        return False

    def release(self, candidate: Candidate) -> None:
        """Give back what `reserve` took."""
        self._add(self._of_pool(_pool_of(candidate)), candidate, 1)

    @staticmethod
    def _add(left: dict[Key, Decimal], candidate: Candidate, sign: int) -> None:
        for key, amount in _consumed(candidate.device):
            left[key] += sign * amount

    def _of_pool(self, id_: PoolId) -> dict[Key, Decimal]:
        if id_ not in self._left:
            self._left[id_] = self._initial(self._pools[id_])
        return self._left[id_]

    def _initial(self, pool: Pool) -> dict[Key, Decimal]:
        left = {
            (name, counter): quantity.parse(str(value["value"]))
            for name, counter_set in pool.counter_sets.items()
            for counter, value in counter_set["counters"].items()
        }
        # Devices count as they are published now: one that is allocated but gone consumes nothing.
        for slice_ in [*pool.slices, *pool.elsewhere]:
            for device in slice_["spec"].get("devices") or ():
                if self._allocated.holds(DeviceId(*pool.id, device["name"])):
                    for key, amount in _consumed(device):
                        left[key] -= amount
        return left


def _pool_of(candidate: Candidate) -> PoolId:
    return PoolId(candidate.id.driver, candidate.id.pool)


def _consumed(device: Json) -> Iterator[tuple[Key, Decimal]]:
    for consumption in device.get("consumesCounters") or ():
        for name, value in consumption["counters"].items():
            yield (consumption["counterSet"], name), quantity.parse(str(value["value"]))
