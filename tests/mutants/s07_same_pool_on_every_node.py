"""Calls its pool the same on every node, so that a device of one node passes for that of another."""

from collections.abc import Mapping
from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "S07"
CAUGHT_BY = ("publishing.per_node",)
BREAKS = ("RS-05",)


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        return {"gpus": super().pools()[self.node]}

    def check(self, claim: plugin.Claim) -> None:
        super().check(replace(claim, devices=tuple(replace(device, pool=self.node) for device in claim.devices)))


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
