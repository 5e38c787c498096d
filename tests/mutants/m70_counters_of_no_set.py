"""Has a device that uses counters of a set which its pool does not have."""

from collections.abc import Mapping

from reference_driver import gpu, plugin
from reference_driver.plugin import pools

FAULT = "M70"
CAUGHT_BY = ("partitions.counters",)
BREAKS = ("RS-18",)
BASE = "reference-extras"


class Driver(gpu.ExtrasDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        use = {"counterSet": "no-such-set", "counters": {"memory": {"value": "1Gi"}}}
        lost = plugin.Device("lost", {"type": "partition"}, extra={"consumesCounters": [use]})
        pools = dict(super().pools())
        name = f"{self.node}-partitions"
        return pools | {name: plugin.Pool([*pools[name].devices, lost], pools[name].shared_counters)}


def main() -> int:
    pools._check = lambda *_: None
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
