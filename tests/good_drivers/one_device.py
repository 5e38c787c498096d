"""Has one device, for one claim at a time."""

import sys

from reference_driver import gpu

EXTRA = {"claim": {"perNode": 1}}
NOT_APPLICABLE = (
    "allocation.every_device",
    "allocation.selected_device",
    "injection.config_applied",
    "injection.two_claims",
    "preparation.bad_beside_good",
    "preparation.batch",
    "preparation.invalid_config",
    "preparation.several_devices",
    "upgrade.claims_through_rollout",
)


def main() -> int:
    return gpu.main([*sys.argv[1:], "--num-devices=1"])


if __name__ == "__main__":
    raise SystemExit(main())
