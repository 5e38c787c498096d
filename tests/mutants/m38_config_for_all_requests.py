"""Applies a configuration for one request to all requests that have none of their own."""

from reference_driver import gpu, plugin

FAULT = "M38"
CAUGHT_BY = ("injection.config_scope",)
ALSO = {
    "alternatives.config": "there is a configuration for another request there, too",
}
BREAKS = ("PREP-23",)


class Driver(gpu.GpuDriver):
    def config(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> gpu.GpuConfig:
        found = claim.configs_for(device) or claim.configs
        return gpu.GpuConfig.decode(found[-1].parameters) if found else gpu.GpuConfig()


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
