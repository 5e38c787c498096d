"""Publishes devices that all nodes reach, in slices that no node owns."""

import sys
from typing import Any

from reference_driver import gpu, plugin

# What belongs to no node may be reported on by those alone who may do so for any node.
EXTRA = {"driver": {"scope": "network-attached", "features": ["rolling-update", "health", "taints", "metadata"]}}
NOT_APPLICABLE = (
    "preparation.each_node",
    "publishing.node_owner",
    "publishing.old_generation",
    "publishing.per_node",
    "publishing.republish",
    "restart.node_lost",
    "security.other_nodes",
    "upgrade.across_nodes",
)


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        for spec in specs:
            del spec["nodeName"]
            spec["allNodes"] = True
        return specs


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
        self.builder = Builder(arguments[1], arguments[2])
        self.planner = Planner(arguments[1], arguments[2])
        self._selector = {"fieldSelector": f"spec.driver={arguments[1]}"}


def main() -> int:
    return gpu.main([*sys.argv[1:], "--no-device-status"], parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
