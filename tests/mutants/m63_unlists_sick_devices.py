"""Takes a sick device out of its slices instead of putting a taint on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "M63"
BREAKS = ("RS-14",)
CAUGHT_BY = ("taints.sick_device",)


def without_sick(
    pools: Mapping[str, plugin.Pool], health: Sequence[plugin.DeviceHealth], _: str
) -> Mapping[str, plugin.Pool]:
    """The pools without the devices that are sick."""
    sick = {(device.pool, device.device) for device in health if device.healthy is False}
    return {
        name: replace(pool, devices=[device for device in pool.devices if (name, device.name) not in sick])
        for name, pool in pools.items()
    }


def main() -> int:
    return gpu.main(parts=plugin.Parts(taint=without_sick))


if __name__ == "__main__":
    raise SystemExit(main())
