"""Looks for hardware at its start only, so that what appears later is never published."""

from collections.abc import Sequence

from fakegpu import Gpu
from reference_driver import gpu

FAULT = "M18"
BREAKS = ("PREP-33",)
CAUGHT_BY = ("publishing.late_device",)


class Driver(gpu.GpuDriver):
    known: frozenset[str] | None = None

    @property
    def gpus(self) -> Sequence[Gpu]:
        return self._gpus

    @gpus.setter
    def gpus(self, found: Sequence[Gpu]) -> None:
        if self.known is None:
            self.known = frozenset(each.name for each in found)
        self._gpus = tuple(each for each in found if each.name in self.known)


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
