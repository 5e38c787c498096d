"""Tells a container its device in a variable that has the same name for every device."""

from reference_driver import gpu, plugin

FAULT = "S53"
BREAKS = ("CDI-10",)
CAUGHT_BY = ("injection.one_container",)


class Driver(gpu.GpuDriver):
    def edits(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> plugin.ContainerEdits:
        given = super().edits(claim, device)
        return plugin.ContainerEdits([*given.env, f"GPU_DEVICE={device.device}"])


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
