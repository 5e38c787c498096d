"""Has claims that name alternatives, so that results carry the names of sub-requests."""

from reference_driver import gpu

ALTERNATIVES = [
    {
        "name": "big",
        "deviceClassName": "gpu.example.com",
        "selectors": [{"cel": {"expression": 'device.attributes["gpu.example.com"].index > 100'}}],
    },
    {"name": "any", "deviceClassName": "gpu.example.com"},
]
EXTRA = {
    "claim": {"spec": {"devices": {"requests": [{"name": "device", "firstAvailable": ALTERNATIVES}]}}, "perNode": 8}
}
NOT_APPLICABLE = (
    "admin.beside_owner",
    "allocation.selected_capacity",
    "allocation.selected_device",
    "alternatives.chosen",
    "injection.config_applied",
    "preparation.bad_beside_good",
    "preparation.invalid_config",
)


def main() -> int:
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
