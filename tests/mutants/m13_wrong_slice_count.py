"""States one slice more for its pool than it publishes."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "M13"
CAUGHT_BY = ("publishing.pool_complete",)
BREAKS = ("RS-05",)


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        for spec in specs:
            spec["pool"]["resourceSliceCount"] += 1
        return specs


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.builder = Builder(arguments[1], arguments[2])


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
