"""Refuses every claim."""

from reference_driver import gpu, plugin

FAULT = "S04"
CAUGHT_BY = ("preparation.one_claim",)
BREAKS = ("PREP-34", "RS-13")


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        raise plugin.ClaimError("the hardware does not answer")


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
