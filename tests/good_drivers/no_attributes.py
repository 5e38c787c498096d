"""Publishes devices without attributes."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

NOT_APPLICABLE = ("allocation.selected_capacity", "allocation.selected_device")


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        return plugin.Device(gpu.name)


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
