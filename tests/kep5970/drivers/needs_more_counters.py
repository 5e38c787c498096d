"""Publishes devices that each need more of a counter than there is, so that none of them can ever be allocated."""

from collections.abc import Mapping
from dataclasses import replace

from reference_driver import gpu, plugin
from reference_driver.plugin import pools


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        use = {"counterSet": "memory", "counters": {"memory": {"value": "2Gi"}}}
        there = [{"name": "memory", "counters": {"memory": {"value": "1Gi"}}}]
        found = super().pools()
        return {
            name: plugin.Pool([replace(one, extra={"consumesCounters": [use]}) for one in pool.devices], there)
            for name, pool in found.items()
        }


def main() -> int:
    pools._check = lambda *_: None
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
