"""Gives taints keys in a domain that is not its own."""

from collections.abc import Mapping, Sequence

from reference_driver import gpu, plugin

FAULT = "S805"
BREAKS = ("RS-24",)
CAUGHT_BY = ("taints.sick_device",)


def foreign(
    pools: Mapping[str, plugin.Pool], health: Sequence[plugin.DeviceHealth], _: str
) -> Mapping[str, plugin.Pool]:
    """The pools with taints of somebody else."""
    return plugin.with_taints(pools, health, "device.kubernetes.io")


def main() -> int:
    return gpu.main(parts=plugin.Parts(taint=foreign))


if __name__ == "__main__":
    raise SystemExit(main())
