"""Takes every device for healthy that it finds at its start."""

from collections.abc import Sequence
from dataclasses import replace

from fakegpu import Gpu
from reference_driver import gpu

FAULT = "M66"
BREAKS = ("RS-13",)
CAUGHT_BY = ("taints.kept",)


class Driver(gpu.GpuDriver):
    def __init__(self, name: str, node: str, gpus: Sequence[Gpu]) -> None:
        super().__init__(name, node, [replace(each, fault="") for each in gpus])


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
