"""Refuses a claim whose allocation has tolerations in it."""

from reference_driver import gpu, plugin

FAULT = "S808"
BREAKS = ("PREP-10",)
CAUGHT_BY = ("taints.rule",)


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        super().check(claim)
        if any(device.tolerations for device in claim.devices):
            raise plugin.ClaimError(f"the allocation of claim {claim.ref} has the unknown field tolerations")


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
