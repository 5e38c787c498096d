"""Changes several slices of a pool at once and leaves the pool's generation as it was."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin import pools

FAULT = "M14"
BREAKS = ("RS-06",)
CAUGHT_BY = ("publishing.generation",)
FIRST, SECOND = 8, 9  # indexes of two GPUs more than the others: it has the first, and later the second in its place
SPARE = (f"gpu-{FIRST}", f"gpu-{SECOND}")
LATER = 4.0  # seconds after its first start


class Planner(plugin.Planner):
    def plan(
        self, wanted: Sequence[dict[str, Any]], existing: Sequence[dict[str, Any]], owner: Mapping[str, Any]
    ) -> plugin.Plan:
        plan = super().plan(wanted, existing, owner)
        kept = max((item["spec"]["pool"]["generation"] for item in existing), default=1)
        for item in (*plan.update, *plan.create):
            item["spec"] = item["spec"] | {"pool": item["spec"]["pool"] | {"generation": kept}}
        return plan


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(arguments[1], arguments[2])


class Driver(gpu.GpuDriver):
    first = True

    def pools(self) -> Mapping[str, plugin.Pool]:
        (pool,) = super().pools().values()
        devices = list(pool.devices)
        if self.gpus:  # so that the devices of three slices change at once
            index = FIRST if self.first else SECOND
            devices.insert(3 if self.first else len(devices), self.device(replace(self.gpus[0], index=index)))
        return {self.node: plugin.Pool(devices)}

    def check(self, claim: plugin.Claim) -> None:
        known = tuple(device for device in claim.devices if device.device not in SPARE)
        super().check(replace(claim, devices=known))


class Losing(plugin.Plugin):
    def start(self) -> None:
        assert isinstance(self.driver, Driver)
        self.driver.first = not self.lost.exists()
        super().start()
        if self.driver.first:
            timer = threading.Timer(LATER, self.lose)
            timer.daemon = True
            timer.start()

    @property
    def lost(self) -> Path:
        return self.options.data_dir / "lost"

    def lose(self) -> None:
        assert isinstance(self.driver, Driver)
        self.driver.first = False
        self.lost.touch()
        self.publish()


def main() -> int:
    pools.MAX_DEVICES = pools.MAX_DEVICES_WITH_EXTRAS = 4
    return gpu.main(driver=Driver, parts=plugin.Parts(slices=Slices), plugin=Losing)


if __name__ == "__main__":
    raise SystemExit(main())
