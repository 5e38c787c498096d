"""Leaves the slices of pools in place that it no longer has."""

from collections.abc import Mapping
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S59"
BREAKS = ("RS-31",)
CAUGHT_BY = ("publishing.pool_gone",)


class Slices(plugin.SliceController):
    def _write(self, wanted: Mapping[str, list[dict[str, Any]]], items: list[dict[str, Any]], path: str) -> bool:
        return super()._write(wanted, [item for item in items if item["spec"]["pool"]["name"] in wanted], path)


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
