"""Checks the configuration of a claim, and then does what it always does."""

from reference_driver import gpu, plugin
from reference_driver.gpu.config import GpuConfig

FAULT = "S16"
CAUGHT_BY = ("injection.config_applied",)
BREAKS = ("PREP-23",)


class Driver(gpu.GpuDriver):
    def config(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> GpuConfig:
        return GpuConfig()


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
