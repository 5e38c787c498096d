"""Sets a condition of its own, and not those that its devices are to be bound by."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S97"
CAUGHT_BY = ("conditions.set",)
BREAKS = ("RS-28",)
BASE = "reference-extras"
EXTRA = {"limits": {"binding": 5}}


class Binding(plugin.BindingController):
    def entry(self, claim: plugin.Claim, device: plugin.AllocatedDevice) -> dict[str, Any]:
        return super().entry(claim, replace(device, binding_conditions=("gpu.example.com/working-on-it",)))

    def look_at(self, obj: Mapping[str, Any]) -> None:
        if not (obj.get("status") or {}).get("devices"):
            super().look_at(obj)


def main() -> int:
    return gpu.main(parts=plugin.Parts(binding=Binding))


if __name__ == "__main__":
    raise SystemExit(main())
