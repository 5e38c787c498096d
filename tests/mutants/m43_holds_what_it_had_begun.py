"""Takes the devices of a claim one after the other, and when one fails does not give back those before it."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "M43"
CAUGHT_BY = ("preparation.missing_device",)
BREAKS = ("PREP-19",)


class Driver(gpu.GpuDriver):
    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.holders: dict[str, str] = {}

    def check(self, claim: plugin.Claim) -> None:
        for number, device in enumerate(claim.devices):
            holder = self.holders.get(device.device, claim.uid)
            if holder != claim.uid:
                raise plugin.ClaimError(f"device {device.device} is in use by claim {holder}")
            try:
                super().check(replace(claim, devices=(device,)))
            except plugin.ClaimError:
                self.holders |= {earlier.device: claim.uid for earlier in claim.devices[:number]}
                raise

    def undo(self, record: plugin.ClaimRecord) -> None:
        super().undo(record)
        self.holders = {device: uid for device, uid in self.holders.items() if uid != record.uid}


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
