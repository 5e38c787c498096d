"""Refuses a claim without a configuration for each of its devices, of which there are two in each."""

from typing import Any

import yaml

from reference_driver import gpu, plugin
from tests.good_drivers.claiming import WITHOUT_RESOURCE
from tests.variants import REFERENCE

API = "gpu.resource.example.com/v1alpha1"
PARAMETERS = {"apiVersion": API, "kind": "GpuConfig", "sharing": {"strategy": "TimeSlicing"}}
CONFIG = {"requests": ["pair"], "opaque": {"driver": "gpu.example.com", "parameters": PARAMETERS}}
REQUEST = {"name": "pair", "exactly": {"deviceClassName": "gpu.example.com", "count": 2}}
CONFIGS: dict[str, Any] = yaml.safe_load(REFERENCE.read_text(encoding="utf-8"))["claim"]["configs"]
EXTRA = {
    "driver": WITHOUT_RESOURCE,
    "claim": {"spec": {"devices": {"requests": [REQUEST], "config": [CONFIG]}}, "perNode": 4, "configs": CONFIGS},
}
NOT_APPLICABLE = (
    "allocation.selected_capacity",
    "allocation.selected_device",
    "alternatives.config",
    "injection.config_order",
    "injection.config_scope",
)


class Driver(gpu.GpuDriver):
    def check(self, claim: plugin.Claim) -> None:
        super().check(claim)
        for device in claim.devices:
            if len(claim.configs_for(device)) != 1:
                raise plugin.ClaimError(f"claim {claim.ref} does not say once how {device.device} is to be used")


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
