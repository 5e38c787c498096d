"""Puts all devices of a big node into one slice, which is more than a slice may have."""

from collections.abc import Mapping

from reference_driver import gpu, plugin
from reference_driver.plugin import pools

FAULT = "M21"
CAUGHT_BY = ("publishing.pool_complete",)
BREAKS = ("RS-16",)


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        return {self.node: plugin.Pool([plugin.Device(f"gpu-{n}") for n in range(200)])}


def main() -> int:
    pools.MAX_DEVICES = pools.MAX_DEVICES_WITH_EXTRAS = 1000
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
