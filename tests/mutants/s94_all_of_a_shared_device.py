"""Tells containers with a share that they have all of the device."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "S94"
CAUGHT_BY = ("shares.amount",)
BREAKS = ("PREP-28",)
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    def edits(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> plugin.ContainerEdits:
        everything = dict.fromkeys(device.consumed_capacity, "8Gi")
        return super().edits(claim, replace(device, consumed_capacity=everything))


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
