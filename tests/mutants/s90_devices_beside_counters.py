"""Publishes counter sets in the slice of the devices that use them."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S90"
CAUGHT_BY = ("partitions.counters", "publishing.pool_complete")
BREAKS = ("RS-17", "RS-01")
BASE = "reference-extras"


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        if not pool.shared_counters:
            return specs
        merged = {**specs[0], **specs[1]}
        merged["pool"] = {**merged["pool"], "resourceSliceCount": 1}
        return [merged]


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.builder = Builder(arguments[1], arguments[2])


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
