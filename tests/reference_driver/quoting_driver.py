"""The reference driver with an exception, expected by nobody, that quotes a claim's whole configuration."""

from reference_driver import gpu
from reference_driver.plugin import Claim, Preparation


class QuotingDriver(gpu.GpuDriver):
    def prepare(self, claim: Claim) -> Preparation:
        try:
            raise KeyError(str(claim.configs))
        except KeyError as error:
            raise ValueError(f"cannot make sense of {claim.configs}") from error


if __name__ == "__main__":
    raise SystemExit(gpu.main(driver=QuotingDriver))
