"""Fails Prepare when it cannot write the claim's status."""

from reference_driver import gpu, plugin

FAULT = "S89"
BREAKS = ("STS-03",)
CAUGHT_BY = ("status.not_written",)


class Reporter(plugin.DeviceReporter):
    def report(self, claim: plugin.Claim) -> None:
        try:
            self.status.write(claim.ref, self.entries(claim))
        except plugin.KubeError as error:
            raise plugin.ClaimError(f"the status of claim {claim.ref} cannot be written: {error}") from error


def main() -> int:
    return gpu.main(parts=plugin.Parts(reporter=Reporter))


if __name__ == "__main__":
    raise SystemExit(main())
