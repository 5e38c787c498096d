"""Publishes NUMA node -1 for devices that belong to none."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "S55"
BREAKS = ("RS-22",)
CAUGHT_BY = ("publishing.attributes",)


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        device = super().device(gpu)
        return plugin.Device(
            device.name, {**device.attributes, "resource.kubernetes.io/numaNode": -1}, device.capacity, device.extra
        )


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
