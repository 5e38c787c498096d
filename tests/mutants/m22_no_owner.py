"""Publishes slices without an owner reference, so that they outlive their node."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "M22"
CAUGHT_BY = ("publishing.node_owner", "restart.node_lost")
BREAKS = ("RS-04",)


class Planner(plugin.Planner):
    def _new(self, index: int, spec: dict[str, Any], owner: Any) -> dict[str, Any]:
        item = super()._new(index, spec, owner)
        del item["metadata"]["ownerReferences"]
        return item

    def _sort(self, existing: Any, generation: int, count: int, owner: Any) -> Any:
        for item in existing:
            item["metadata"]["ownerReferences"] = [owner]  # what it compares with, or it would write for ever
        return super()._sort(existing, generation, count, owner)


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(arguments[1], arguments[2])


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
