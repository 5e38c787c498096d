"""Keeps administrators from devices that are in use."""

from reference_driver import gpu, plugin

FAULT = "M25"
CAUGHT_BY = ("admin.beside_owner",)
BREAKS = ("PREP-26",)


class Handler(plugin.ClaimHandler):
    def check_free(self, claim: plugin.Claim) -> None:
        for device in claim.devices:
            if any(other.uid != claim.uid for other in self.checkpoint.holders((device.pool, device.device))):
                raise plugin.ClaimError(f"device {device.device} is in use")


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
