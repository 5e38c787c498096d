"""Gives a device that several claims may use to one claim only."""

from reference_driver import gpu, plugin

FAULT = "M26"
CAUGHT_BY = ("shares.two_claims",)
ALSO = {
    "admin.beside_owner": "a share counts as the whole device, which is in use then",
}
BREAKS = ("PREP-27",)
BASE = "reference-extras"


class Handler(plugin.ClaimHandler):
    def check_free(self, claim: plugin.Claim) -> None:
        for device in claim.devices:
            if any(other.uid != claim.uid for other in self.checkpoint.holders((device.pool, device.device))):
                raise plugin.ClaimError(f"device {device.device} is in use")


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
