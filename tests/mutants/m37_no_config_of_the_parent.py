"""Applies a configuration only where it names just the request of the result, alternative and all."""

from reference_driver import gpu, plugin

FAULT = "M37"
CAUGHT_BY = ("alternatives.config",)
BREAKS = ("PREP-23",)


class Driver(gpu.GpuDriver):
    def config(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> gpu.GpuConfig:
        found = [config for config in claim.configs if not config.requests or device.request in config.requests]
        return gpu.GpuConfig.decode(found[-1].parameters) if found else gpu.GpuConfig()


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
