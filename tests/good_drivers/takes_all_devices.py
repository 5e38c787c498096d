"""Gives a claim all devices of the node."""

from reference_driver import gpu

REQUEST = {"name": "all", "exactly": {"deviceClassName": "gpu.example.com", "allocationMode": "All"}}
EXTRA = {"claim": {"spec": {"devices": {"requests": [REQUEST]}}, "perNode": 1}}
NOT_APPLICABLE = (
    "allocation.every_device",
    "allocation.selected_capacity",
    "allocation.selected_device",
    "alternatives.chosen",
    "injection.config_applied",
    "injection.two_claims",
    "preparation.bad_beside_good",
    "preparation.batch",
    "preparation.invalid_config",
    "preparation.several_devices",
    "upgrade.claims_through_rollout",
)


def main() -> int:
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
