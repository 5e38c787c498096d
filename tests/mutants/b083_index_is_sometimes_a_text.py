"""The attribute index is a number on some devices and a text on others."""

from dataclasses import replace

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "B083"
BREAKS = ("RS-19",)
CAUGHT_BY = ("allocation.selected_device",)


class Mixed(gpu.GpuDriver):
    def device(self, one: Gpu) -> plugin.Device:
        device = super().device(one)
        index = str(one.index) if one.index % 2 else one.index
        return replace(device, attributes={**device.attributes, "index": index})


def main() -> int:
    return gpu.main(driver=Mixed)


if __name__ == "__main__":
    raise SystemExit(main())
