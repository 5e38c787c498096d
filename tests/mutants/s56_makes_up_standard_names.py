"""Publishes an attribute under a name in a domain of Kubernetes, which has defined none of that name."""

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "S56"
BREAKS = ("RS-20",)
CAUGHT_BY = ("publishing.attributes",)


class Driver(gpu.GpuDriver):
    def device(self, gpu: Gpu) -> plugin.Device:
        device = super().device(gpu)
        return plugin.Device(
            device.name, {**device.attributes, "resource.kubernetes.io/gpuModel": "x"}, device.capacity, device.extra
        )


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
