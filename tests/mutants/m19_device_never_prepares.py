"""Publishes a device that it can never prepare."""

from reference_driver import gpu, plugin

FAULT = "M19"
CAUGHT_BY = ("allocation.every_device",)
ALSO = {
    "preparation.at_once": "it has claims for all devices",
    "admin.beside_owner": "it may be given that device",
}
BREAKS = ("RS-13",)


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        super().check(claim)
        if any(device.device == "gpu-5" for device in claim.devices):
            raise plugin.ClaimError("device gpu-5 cannot be opened")


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
