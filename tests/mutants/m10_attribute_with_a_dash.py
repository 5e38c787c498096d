"""Publishes an attribute whose name is no identifier, as it has a dash in it."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "M10"
BREAKS = ("RS-01",)
CAUGHT_BY = ("publishing.pool_complete",)


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        device = super().device(gpu)
        return plugin.Device(device.name, {**device.attributes, "gpu-model": "x"}, device.capacity, device.extra)


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
