"""Overwrites and deletes slices whatever has become of them meanwhile."""

from collections.abc import Mapping
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S63"
BREAKS = ("RS-30",)
CAUGHT_BY = ("publishing.careful_writes",)


class Slices(plugin.SliceController):
    def _carry_out(self, plan: plugin.Plan, path: str) -> None:
        for item in plan.update:
            item["metadata"] = {key: value for key, value in item["metadata"].items() if key != "resourceVersion"}
        super()._carry_out(plan, path)

    def _delete(self, path: str, meta: Mapping[str, Any]) -> None:
        super()._delete(path, {"name": meta["name"], "uid": "", "resourceVersion": ""})


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
