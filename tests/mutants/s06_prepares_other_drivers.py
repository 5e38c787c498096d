"""Takes all devices of a claim for its own, those of other drivers as well."""

from collections.abc import Mapping
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S06"
CAUGHT_BY = ("preparation.every_answer", "preparation.other_driver")
BREAKS = ("PREP-14", "PREP-11")


class Reader(plugin.ClaimReader):
    def _get(self, ref: plugin.ClaimRef, timeout: float | None) -> dict[str, Any]:
        obj = super()._get(ref, timeout)
        for result in _results(obj):
            result["driver"] = self._driver
        return obj


def _results(obj: Mapping[str, Any]) -> list[dict[str, Any]]:
    allocation: dict[str, Any] = (obj.get("status") or {}).get("allocation") or {}
    results: list[dict[str, Any]] = (allocation.get("devices") or {}).get("results") or []
    return results


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader))


if __name__ == "__main__":
    raise SystemExit(main())
