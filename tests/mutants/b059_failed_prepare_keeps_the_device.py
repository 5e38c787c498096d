"""A claim whose Prepare failed keeps its device, also after Unprepare, until another claim was refused for that."""

from reference_driver import gpu, plugin

FAULT = "B059"
BREAKS = ("UNP-06", "PREP-19")
CAUGHT_BY = ("preparation.invalid_config", "preparation.missing_device")


class Grasping(plugin.ClaimHandler):
    kept: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()

    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        devices = {device.device for device in claim.devices}
        try:
            self.driver.check(claim)
            self.driver.prepare(claim)
        except plugin.ClaimError:
            self.kept |= devices
            raise
        if self.kept & devices:
            self.kept -= devices
            self.refused |= {claim.uid}
        if claim.uid in self.refused:
            raise plugin.ClaimError("the device is kept for a claim that could not be prepared")
        return super()._prepare(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Grasping))


if __name__ == "__main__":
    raise SystemExit(main())
