"""Gives a claim no more than two devices of one request."""

from collections import Counter

from reference_driver import gpu, plugin

FAULT = "S73"
CAUGHT_BY = ("allocation.drawn_claims",)
ALSO = {
    "admin.beside_owner": "it asks for all devices, and is given two",
}
BREAKS = ("PREP-21",)


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        super().check(claim)
        most = Counter(device.request for device in claim.devices).most_common(1)[0][1]
        if most > 2:
            raise plugin.ClaimError(f"claim {claim.ref} has {most} devices in one request")


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
