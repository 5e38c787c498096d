"""Allows one claim at a time, and only one that takes all of its devices."""

from reference_driver import gpu, plugin
from tests.good_drivers import takes_all_devices

# One claim at a time: administrators are no exception.
FEATURES = ["rolling-update", "health", "taints", "device-status", "metadata"]
EXTRA = {**takes_all_devices.EXTRA, "driver": {"features": FEATURES}}
NOT_APPLICABLE = takes_all_devices.NOT_APPLICABLE


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        super().check(claim)
        if {device.device for device in claim.devices} != {each.name for each in self.gpus}:
            raise plugin.ClaimError(f"claim {claim.ref} does not take all devices of node {self.node}")


class Handler(plugin.ClaimHandler):
    def check_free(self, claim: plugin.Claim) -> None:
        for pool, devices in self.driver.pools().items():
            held = (self.checkpoint.holders((pool, device.name)) for device in devices.devices)
            if any(other.uid != claim.uid for holders in held for other in holders):
                raise plugin.ClaimError(f"node {self.driver.node} is taken")


def main() -> int:
    return gpu.main(driver=Driver, parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
