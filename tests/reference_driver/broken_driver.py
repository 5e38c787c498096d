"""The reference driver with a mistake in its slice controller that no retry repairs."""

from typing import Any

from reference_driver.gpu import main
from reference_driver.plugin import Parts, Plan, Planner, SliceController


class BrokenPlanner(Planner):
    def plan(self, *arguments: Any) -> Plan:
        raise LookupError("a mistake")


class BrokenSlices(SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = BrokenPlanner("gpu.example.com", "node-a")


if __name__ == "__main__":
    raise SystemExit(main(parts=Parts(slices=BrokenSlices)))
