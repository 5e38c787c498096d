"""Does not look whether a device that was allocated exists."""

from reference_driver import gpu, plugin

FAULT = "S37"
CAUGHT_BY = ("preparation.missing_device",)
BREAKS = ("PREP-15",)


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        pass


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
