"""Publishes a policy for the capacity of a device that only one claim can have."""

from collections.abc import Mapping

from reference_driver import gpu, plugin

FAULT = "S92"
CAUGHT_BY = ("publishing.pool_complete", "shares.policy")
BREAKS = ("RS-26", "RS-01")
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        capacity = {"memory": {"value": "8Gi", "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi"}}}}
        alone = plugin.Device("alone", {"type": "alone"}, extra={"capacity": capacity})
        return {**super().pools(), f"{self.node}-alone": plugin.Pool([alone])}


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
