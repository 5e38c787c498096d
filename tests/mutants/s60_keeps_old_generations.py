"""Leaves slices of older generations in place."""

from collections.abc import Mapping, Sequence
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S60"
BREAKS = ("RS-07",)
CAUGHT_BY = ("publishing.old_generation",)


class Planner(plugin.Planner):
    def plan(
        self, wanted: Sequence[dict[str, Any]], existing: Sequence[dict[str, Any]], owner: Mapping[str, Any]
    ) -> plugin.Plan:
        newest = max((item["spec"]["pool"]["generation"] for item in existing), default=0)
        return super().plan(wanted, [item for item in existing if item["spec"]["pool"]["generation"] == newest], owner)


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(arguments[1], arguments[2])


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
