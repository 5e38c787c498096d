"""Devices get other names whenever the driver is started."""

import random
from collections.abc import Sequence
from dataclasses import replace

from fakegpu import Gpu
from reference_driver import gpu

FAULT = "B075"
BREAKS = ("RS-09",)
CAUGHT_BY = ("publishing.started_again",)
ALSO = {
    "taints.kept": "the taint goes with the sick GPU to its new name, so that its old one is offered",
}


def shuffled(name: str, node: str, gpus: Sequence[Gpu]) -> gpu.GpuDriver:
    order = random.sample(range(len(gpus)), len(gpus))
    return gpu.GpuDriver(name, node, [replace(one, index=index) for one, index in zip(gpus, order, strict=True)])


def main() -> int:
    return gpu.main(driver=shuffled)


if __name__ == "__main__":
    raise SystemExit(main())
