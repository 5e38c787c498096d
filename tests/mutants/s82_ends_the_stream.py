"""Ends the health stream after the first report."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from reference_driver import gpu, plugin

FAULT = "S82"
BREAKS = ("HLT-04",)
CAUGHT_BY = ("health.refreshed",)


class Monitor(plugin.HealthMonitor):
    def reports(self, watched: Callable[[], bool]) -> Iterator[Sequence[plugin.DeviceHealth]]:
        return islice(super().reports(watched), 1)


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
