"""Changes several slices of a pool at once and leaves the pool's generation as it was."""

import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from reference_driver import gpu, plugin

FAULT = "M14"
BREAKS = ("RS-06",)
CAUGHT_BY = ("publishing.generation",)
SOON = 0.5  # seconds after its start it finds that a device is not there


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


class Losing(plugin.Plugin):
    def start(self) -> None:
        super().start()
        timer = threading.Timer(SOON, self.lose)
        timer.daemon = True
        timer.start()

    def lose(self) -> None:
        assert isinstance(self.driver, gpu.GpuDriver)
        self.driver.gpus = [each for each in self.driver.gpus if each.index != 100]
        self.publish()


def main() -> int:
    return gpu.main([*sys.argv[1:], "--num-devices=200"], parts=plugin.Parts(slices=Slices), plugin=Losing)


if __name__ == "__main__":
    raise SystemExit(main())
