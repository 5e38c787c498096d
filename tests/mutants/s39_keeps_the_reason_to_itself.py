"""Says of a device that is missing only that the claim failed."""

from reference_driver import gpu, plugin

FAULT = "S39"
CAUGHT_BY = ("preparation.missing_device",)
BREAKS = ("OPS-02",)


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        try:
            super().check(claim)
        except plugin.ClaimError:
            raise plugin.ClaimError(f"claim {claim.ref} cannot be prepared") from None


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
