"""Lets the configuration of the class override that of the claim."""

from reference_driver import gpu, plugin

FAULT = "S99"
CAUGHT_BY = ("injection.config_order",)
BREAKS = ("PREP-25",)


class Driver(gpu.GpuDriver):
    def config(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> gpu.GpuConfig:
        configs = claim.configs_for(device)
        of_class = [config for config in configs if config.source == "FromClass"]
        found = of_class or configs
        return gpu.GpuConfig.decode(found[-1].parameters) if found else gpu.GpuConfig()


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
