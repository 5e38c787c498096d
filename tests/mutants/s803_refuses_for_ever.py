"""Refuses a claim for ever whose device was missing once."""

from reference_driver import gpu, plugin

FAULT = "S803"
BREAKS = ("PREP-33",)
CAUGHT_BY = ("preparation.device_back",)


class Driver(gpu.GpuDriver):
    refused: frozenset[str] = frozenset()

    def check(self, claim: plugin.Claim) -> None:
        if claim.uid in self.refused:
            raise plugin.ClaimError(f"claim {claim.ref} was refused before")
        try:
            super().check(claim)
        except plugin.ClaimError:
            self.refused |= {claim.uid}
            raise


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
