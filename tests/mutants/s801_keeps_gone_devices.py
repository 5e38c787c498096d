"""Goes on offering devices that have vanished."""

from collections.abc import Sequence

from fakegpu import Gpu
from reference_driver import gpu

FAULT = "S801"
BREAKS = ("RS-13",)
CAUGHT_BY = ("publishing.gone_device",)


class Driver(gpu.GpuDriver):
    found: tuple[Gpu, ...] = ()

    @property
    def gpus(self) -> Sequence[Gpu]:
        return self.found

    @gpus.setter
    def gpus(self, found: Sequence[Gpu]) -> None:
        gone = [each for each in self.found if each.name not in {other.name for other in found}]
        self.found = tuple(sorted([*found, *gone], key=lambda each: each.index))


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
