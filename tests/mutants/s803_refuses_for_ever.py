"""Refuses a claim for ever whose device was missing once."""

from collections.abc import Mapping
from types import MappingProxyType

from reference_driver import gpu, plugin

FAULT = "S803"
BREAKS = ("PREP-33",)
CAUGHT_BY = ("preparation.device_back",)


class Driver(gpu.GpuDriver):
    refused: Mapping[str, plugin.ClaimError] = MappingProxyType({})

    def check(self, claim: plugin.Claim) -> None:
        if claim.uid in self.refused:
            raise self.refused[claim.uid]
        try:
            super().check(claim)
        except plugin.ClaimError as error:
            self.refused = {**self.refused, claim.uid: error}
            raise


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
