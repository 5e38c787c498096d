"""Has one configuration for a claim: the last one, whatever requests it is for."""

from reference_driver import gpu, plugin

FAULT = "M35"
CAUGHT_BY = ("injection.config_scope",)
ALSO = {
    "alternatives.config": "there are configurations for other requests there, too",
}
BREAKS = ("PREP-23",)


class Driver(gpu.GpuDriver):
    def config(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> gpu.GpuConfig:
        return gpu.GpuConfig.decode(claim.configs[-1].parameters) if claim.configs else gpu.GpuConfig()


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
