"""Answers Prepare with the first device of the pool, whichever was allocated."""

from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin import service

FAULT = "M79"
CAUGHT_BY = ("allocation.every_device", "allocation.selected_device")
ALSO = {
    "preparation.allocated_anew": "the device that it answers with is not the one of the new allocation",
    "preparation.at_once": "all claims get the same device",
    "preparation.every_answer": "no answer fits",
    "preparation.same_name": "both claims get the same device",
}
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
