"""Takes the devices of a claim one after the other; when one fails, those before it are lost to the next claim."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "M43"
CAUGHT_BY = ("preparation.missing_device",)
BREAKS = ("PREP-19",)


class Driver(gpu.GpuDriver):
    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.held: dict[str, str] = {}
        self.refused: set[str] = set()

    def check(self, claim: plugin.Claim) -> None:
        for number, device in enumerate(claim.devices):
            if self.held.get(device.device, claim.uid) != claim.uid:
                del self.held[device.device]
                self.refused.add(claim.uid)
            if claim.uid in self.refused:
                raise plugin.ClaimError(f"device {device.device} is in use by another claim")
            try:
                super().check(replace(claim, devices=(device,)))
            except plugin.ClaimError:
                self.held |= {earlier.device: claim.uid for earlier in claim.devices[:number]}
                raise


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
