"""The search: first fit with backtracking over all requests of all claims.

Source: allocateOne and allocateDevice in
dynamic-resource-allocation/structured/internal/incubating/allocator_incubating.go.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from conformance.cluster.embedded.scheduler import capacity, quantity
from conformance.cluster.embedded.scheduler.constraints import constraints_of, taints_forbid
from conformance.cluster.embedded.scheduler.counters import Counters
from conformance.cluster.embedded.scheduler.model import (
    MAX_RESULTS,
    Allocated,
    AllocationError,
    Candidate,
    DeviceId,
    Request,
    describe,
)
from conformance.cluster.embedded.scheduler.pools import Pool
from conformance.cluster.embedded.scheduler.requests import Requests

_FRAMES = 10_000


class Position(NamedTuple):
    """A place in the order of devices: the pool, and the device in it."""

    pool: int
    device: int


_BEGIN = Position(0, 0)


class _TooMany(Exception):
    """The results of a claim would be more than its status can hold."""


@dataclass(frozen=True)
class Choice:
    """A device chosen for a request; `consumed` is what a share takes of the device's capacities."""

    request: Request
    candidate: Candidate
    consumed: Mapping[str, str] | None


class Search:
    """One search on one node. `chosen` and `picked` (the alternative of each request) hold the solution."""

    def __init__(self, claims: Sequence[Requests], pools: list[Pool], allocated: Allocated, deadline: float) -> None:
        self._claims = claims
        self._pools = [pool for pool in pools if pool.usable]
        self._allocated = allocated
        self._deadline = deadline
        self._constraints = [constraints_of(requests.claim) for requests in claims]
        self._counters = Counters(pools, allocated)
        # How often each device is taken, by all claims and by each of them.
        self._taken: Counter[DeviceId] = Counter()
        self._taking: Counter[tuple[DeviceId, int]] = Counter()
        self._sharing: dict[DeviceId, list[dict[str, Decimal]]] = {}
        self._undo: list[Callable[[], object]] = []
        self.chosen: list[list[Choice]] = [[] for _ in claims]
        self.picked: list[list[Request]] = [[alternatives[0] for alternatives in r.alternatives] for r in claims]

    def run(self) -> bool:
        """Whether there is a solution. Raises AllocationError when the attempt has to end for all nodes."""
        # Each device of a solution takes a few frames.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
        try:
            return self._claim(0)
        except _TooMany:
            return False

    def _claim(self, number: int) -> bool:
        return number == len(self._claims) or self._request(number, 0)

    def _request(self, claim: int, number: int) -> bool:
        if number == len(self._claims[claim].alternatives):
            try:
                return self._claim(claim + 1)
            except _TooMany:
                # With other alternatives picked before, the next claim may do with fewer devices.
                return False
        alternatives = self._claims[claim].alternatives[number]
        if not alternatives[0].parent:
            return self._device(claim, number, alternatives[0], 0, _BEGIN)
        return self._alternative(claim, number, alternatives)

    def _alternative(self, claim: int, number: int, alternatives: list[Request]) -> bool:
        all_too_many = True
        for request in alternatives:
            try:
                if self._device(claim, number, request, 0, _BEGIN):
                    self.picked[claim][number] = request
                    return True
                all_too_many = False
            except _TooMany:
                continue
        if all_too_many:
            raise _TooMany
        return False

    def _device(self, claim: int, number: int, request: Request, taken: int, start: Position) -> bool:
        """Choose the device after `taken` of a request, from `start` on, and all that follows."""
        if time.thread_time() > self._deadline:
            raise TimeoutError
        if request.wants_all and not request.all_devices:
            return False
        if taken == request.count:
            return self._request(claim, number + 1)
        if request.count - taken > MAX_RESULTS - len(self.chosen[claim]):
            raise _TooMany
        if request.wants_all:
            # Which devices is known; their order does not matter, so there is nothing else to try.
            device = request.all_devices[taken]
            if self._in_use(claim, request, device):
                return False
            return self._with(claim, request, device, lambda: self._device(claim, number, request, taken + 1, _BEGIN))
        for pool_at in range(start.pool, len(self._pools)):
            first = start.device if pool_at == start.pool else 0
            for at in self._not_in_use(claim, request, self._pools[pool_at], first):
                after = Position(pool_at, at + 1)
                if self._with(
                    claim,
                    request,
                    self._pools[pool_at].candidates[at],
                    lambda after=after: self._device(claim, number, request, taken + 1, after),  # type: ignore[misc]
                ):
                    return True
        return False

    def _not_in_use(self, claim: int, request: Request, pool: Pool, first: int) -> Iterator[int]:
        """Where in a pool devices are, from `first` on, that are selected; the next is looked for when it is asked."""
        requests, out, candidates = self._claims[claim], pool.ruled_out(request.selectors), pool.candidates
        at = out.first(first)
        while at < len(candidates):
            # Expressions are not evaluated for devices that are in use: they might fail.
            if not self._in_use(claim, request, candidates[at]):
                if not requests.matches(request, candidates[at]):
                    out.add(at)
                elif requests.reaches(candidates[at]):
                    yield at
            at = out.first(at + 1)

    def _with(self, claim: int, request: Request, candidate: Candidate, rest: Callable[[], bool]) -> bool:
        """Take the device and do the rest; all is undone unless that leads to a solution."""
        before = len(self._undo)
        done = False
        try:
            done = self._take(claim, request, candidate) and rest()
        finally:
            while not done and len(self._undo) > before:
                self._undo.pop()()
        return done

    def _in_use(self, claim: int, request: Request, candidate: Candidate) -> bool:
        if request.admin:
            return self._taking[candidate.id, claim] > 0
        return candidate.id in self._allocated.devices or self._taken.get(candidate.id, 0) > 0

    def _take(self, claim: int, request: Request, candidate: Candidate) -> bool:
        # With All, a constraint that is broken is an error, and told before capacity that is used up.
        if not request.wants_all and self._capacity(claim, request, candidate) is None:
            return False
        if not self._reserve_counters(candidate) or taints_forbid(candidate, request):
            return False
        if not self._satisfy_constraints(claim, request, candidate):
            return False
        consumed = self._capacity(claim, request, candidate)
        if consumed is None:
            return False
        if candidate.shared:
            amounts = {name: quantity.parse(text) for name, text in consumed.items()}
            self._sharing.setdefault(candidate.id, []).append(amounts)
            self._undo.append(lambda: self._sharing[candidate.id].pop())
        else:
            self._mark(claim, candidate.id, 1)
            self._undo.append(lambda: self._mark(claim, candidate.id, -1))
        self.chosen[claim].append(Choice(request, candidate, consumed if candidate.shared else None))
        self._undo.append(self.chosen[claim].pop)
        return True

    def _mark(self, claim: int, device: DeviceId, times: int) -> None:
        self._taken[device] += times
        self._taking[device, claim] += times

    def _capacity(self, claim: int, request: Request, candidate: Candidate) -> dict[str, str] | None:
        try:
            consumed = capacity.consumption(request, candidate)
        except AllocationError as error:
            where = f"claim {describe(self._claims[claim].claim)}, request {request.name}"
            raise AllocationError(f"{where}: checking capacity for device {candidate.id}: {error}") from None
        if consumed is None:
            return None
        used = self._allocated.shares.get(candidate.id, {})
        pending: dict[str, Decimal] = {}
        for share in self._sharing.get(candidate.id, ()):
            for name, amount in share.items():
                pending[name] = pending.get(name, Decimal(0)) + amount
        return consumed if capacity.fits(candidate, consumed, used, pending) else None

    def _reserve_counters(self, candidate: Candidate) -> bool:
        in_use = candidate.shared and (candidate.id in self._allocated.shares or self._sharing.get(candidate.id))
        # A further share of a device does not charge its counters again.
        if in_use or not candidate.device.get("consumesCounters"):
            return True
        if not self._counters.reserve(candidate):
            return False
        self._undo.append(lambda: self._counters.release(candidate))
        return True

    def _satisfy_constraints(self, claim: int, request: Request, candidate: Candidate) -> bool:
        for constraint in self._constraints[claim]:
            if constraint.add(request, candidate):
                self._undo.append(lambda c=constraint: c.remove(request, candidate))  # type: ignore[misc]
                continue
            if request.wants_all:
                raise AllocationError(
                    f"claim {describe(self._claims[claim].claim)}, request {request.name}: cannot add device "
                    f"{candidate.id} because a claim constraint would not be satisfied"
                )
            return False
        return True
