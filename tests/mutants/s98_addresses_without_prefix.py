"""Tells addresses of network devices without the length of their prefix."""

from collections.abc import Mapping
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S98"
CAUGHT_BY = ("network.data",)
BREAKS = ("STS-02",)
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    def network(self, device: plugin.AllocatedDevice) -> Mapping[str, Any]:
        data = dict(super().network(device))
        return data | {"ips": [address.partition("/")[0] for address in data["ips"]]} if data else data


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
