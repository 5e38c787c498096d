"""Publishes nothing at all when it has no devices."""

from collections.abc import Mapping

from reference_driver import gpu, plugin

FAULT = "S64"
BREAKS = ("RS-12",)
CAUGHT_BY = ("publishing.no_devices",)


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        return {name: pool for name, pool in super().pools().items() if pool.devices}


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
