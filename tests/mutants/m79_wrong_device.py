"""Answers Prepare with the first device of the pool, whichever was allocated."""

from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin import service

FAULT = "M79"
CAUGHT_BY = ("allocation.every_device", "allocation.selected_device")
BREAKS = ("PREP-10",)


class Servicer(plugin.DraServicer):
    def prepared(self, answer: plugin.Answer) -> Any:
        entry = super().prepared(answer)
        for device in entry.devices:
            device.device_name = "gpu-0"
        return entry


def main() -> int:
    service.DraServicer = Servicer  # type: ignore[misc]
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
