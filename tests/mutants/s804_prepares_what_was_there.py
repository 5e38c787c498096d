"""Prepares devices that were there at its start, whether they still are or not."""

from collections.abc import Sequence

from fakegpu import Gpu
from reference_driver import gpu, plugin

FAULT = "S804"
BREAKS = ("PREP-15",)
CAUGHT_BY = ("preparation.device_back",)


class Driver(gpu.GpuDriver):
    def __init__(self, name: str, node: str, gpus: Sequence[Gpu]) -> None:
        super().__init__(name, node, gpus)
        self.first = gpu.GpuDriver(name, node, gpus)

    def check(self, claim: plugin.Claim) -> None:
        self.first.check(claim)


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
