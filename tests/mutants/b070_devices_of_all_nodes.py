"""Devices of one node are published as reachable from all nodes."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B070"
BREAKS = ("RS-03",)
CAUGHT_BY = ("publishing.pool_complete",)


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        for spec in specs:
            del spec["nodeName"]
            spec["allNodes"] = True
        return specs


class Slices(plugin.SliceController):
    def __init__(self, client: plugin.KubeClient, driver: str, node: str, on_fatal: Any) -> None:
        super().__init__(client, driver, node, on_fatal)
        self.builder = Builder(driver, node)
        self._selector = {"fieldSelector": f"spec.driver={driver}"}


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
