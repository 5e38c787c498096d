"""Notes the claim that it prepares anew in one place, so that calls that overlap get each other's devices."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reference_driver import gpu, plugin

FAULT = "S70"
CAUGHT_BY = ("preparation.at_once",)
BREAKS = ("PREP-30",)


class NoLock(plugin.StateLock):
    @contextmanager
    def hold(self, deadline: plugin.Deadline, reload: Callable[[], None]) -> Iterator[None]:
        self._reload_if_stale(reload)
        yield


class Handler(plugin.ClaimHandler):
    current: plugin.Claim
    unprepared: frozenset[str] = frozenset()

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        self.unprepared |= {ref.uid}
        return super()._unprepare(ref)

    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        if claim.uid not in self.unprepared:
            return super()._prepare(claim)
        self.current = claim
        time.sleep(0.02)  # seconds; something slow is done before it is looked at
        return super()._prepare(self.current)


def main() -> int:
    return gpu.main(parts=plugin.Parts(lock=NoLock, handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
