"""Leaves the taint on a device that has recovered."""

from collections.abc import Mapping, Sequence

from reference_driver import gpu, plugin

FAULT = "S80"
BREAKS = ("PREP-33",)
CAUGHT_BY = ("taints.sick_device",)


ever: dict[tuple[str, str], plugin.DeviceHealth] = {}


def for_ever(
    pools: Mapping[str, plugin.Pool], health: Sequence[plugin.DeviceHealth], driver: str
) -> Mapping[str, plugin.Pool]:
    """The pools with a taint on each device that was sick once."""
    ever.update({(device.pool, device.device): device for device in health if device.healthy is False})
    return plugin.with_taints(pools, list(ever.values()), driver)


def main() -> int:
    return gpu.main(parts=plugin.Parts(taint=for_ever))


if __name__ == "__main__":
    raise SystemExit(main())
