"""Leaves a device as the configuration of the last claim has set it."""

from reference_driver import gpu, plugin

FAULT = "M51"
BREAKS = ("UNP-07",)
CAUGHT_BY = ("unpreparing.settings_restored",)


SETTINGS: dict[str, gpu.GpuConfig] = {}


class Driver(gpu.GpuDriver):
    def config(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> gpu.GpuConfig:
        if claim.configs_for(device):
            SETTINGS[device.device] = super().config(claim, device)
        return SETTINGS.get(device.device, gpu.GpuConfig())


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
