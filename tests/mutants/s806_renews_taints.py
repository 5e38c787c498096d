"""Says of every taint that it has just been added, each time that it publishes."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S806"
BREAKS = ("RS-25",)
CAUGHT_BY = ("taints.kept",)


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for device in (device for spec in specs for device in spec.get("devices", ())):
            device.update(renewed(device, now))
        return specs


def renewed(device: Mapping[str, Any], now: str) -> dict[str, Any]:
    """The taints of a device as if they were new."""
    taints = device.get("taints")
    return {"taints": [{**taint, "timeAdded": now} for taint in taints]} if taints else {}


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.builder = Builder(arguments[1], arguments[2])


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
