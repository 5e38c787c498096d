"""A pool has two slices with the same devices."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B074"
BREAKS = ("RS-08",)
CAUGHT_BY = ("publishing.pool_complete",)


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        pool_of_both = {"name": name, "resourceSliceCount": 2 * len(specs)}
        return [spec | {"pool": dict(pool_of_both)} for spec in specs * 2]


class Slices(plugin.SliceController):
    def __init__(self, client: plugin.KubeClient, driver: str, node: str, on_fatal: Any) -> None:
        super().__init__(client, driver, node, on_fatal)
        self.builder = Builder(driver, node)


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
