"""Shares its device by memory, and refuses a claim that does not say how much it wants, or wants it all."""

from collections.abc import Mapping

from reference_driver import gpu, plugin
from tests.good_drivers import shared_device
from tests.good_drivers.claiming import WITHOUT_RESOURCE

CAPACITY = {"memory": {"value": "8Gi"}}  # without a policy, who asks for nothing gets all
REQUEST = {
    "name": "part",
    "exactly": {"deviceClassName": "gpu.example.com", "capacity": {"requests": {"memory": "2Gi"}}},
}
EXTRA = {
    **shared_device.EXTRA,
    "driver": WITHOUT_RESOURCE,
    "claim": {"spec": {"devices": {"requests": [REQUEST]}}, "perNode": 4},
}
NOT_APPLICABLE = (
    *shared_device.NOT_APPLICABLE,
    "injection.config_applied",
    "preparation.bad_beside_good",
    "preparation.invalid_config",
)


class Driver(shared_device.Driver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        extra = {"allowMultipleAllocations": True, "capacity": CAPACITY}
        there = any(each.index == 0 for each in self.gpus)
        return {self.node: plugin.Pool([plugin.Device("gpu-0", {"index": 0}, extra=extra)] if there else [])}

    def check(self, claim: plugin.Claim) -> None:
        super().check(claim)
        for device in claim.devices:
            if device.consumed_capacity.get("memory") in (None, CAPACITY["memory"]["value"]):
                raise plugin.ClaimError(f"claim {claim.ref} does not say how much memory it wants")


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
