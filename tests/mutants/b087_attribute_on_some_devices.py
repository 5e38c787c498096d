"""The attribute model is published for some of its devices only."""

from dataclasses import replace

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "B087"
BREAKS = ("RS-33",)
CAUGHT_BY = ("publishing.attributes",)


class Patchy(gpu.GpuDriver):
    def device(self, one: Gpu) -> plugin.Device:
        device = super().device(one)
        kept = {name: value for name, value in device.attributes.items() if name != "model" or one.index % 2}
        return replace(device, attributes=kept)


def main() -> int:
    return gpu.main(driver=Patchy)


if __name__ == "__main__":
    raise SystemExit(main())
