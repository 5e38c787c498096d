"""Prepares the first device of a claim only."""

from reference_driver import gpu, plugin

FAULT = "S05"
CAUGHT_BY = ("preparation.several_devices",)
BREAKS = ("PREP-21",)


class Driver(gpu.GpuDriver):
    def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
        first, *rest = super().prepare(claim).edits
        return plugin.Preparation([first, *(plugin.ContainerEdits() for _ in rest)])


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
