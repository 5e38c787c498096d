"""Publishes two pools, one a little after the other: it takes a while to find the hardware of the second."""

import threading
from typing import Any

from reference_driver import gpu, plugin
from tests.good_drivers import many_pools

EXTRA = many_pools.EXTRA
NOT_APPLICABLE = many_pools.NOT_APPLICABLE
WARNED = ("taints.kept",)  # its second pool is made anew at each start, and with it the times of its taints
DELAY = 0.05  # seconds


class Slices(plugin.SliceController):
    def publish(self, pools: Any) -> None:
        first = min(pools)
        super().publish({first: pools[first]})
        timer = threading.Timer(DELAY, super().publish, [pools])
        timer.daemon = True
        timer.start()


def main() -> int:
    return gpu.main(driver=many_pools.Driver, parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
