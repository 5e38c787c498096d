"""Writes more data about a device into a claim's status than the API server takes."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S88"
BREAKS = ("STS-02",)
CAUGHT_BY = ("status.reported",)


class Reporter(plugin.DeviceReporter):
    def entry(self, device: plugin.AllocatedDevice) -> dict[str, Any]:
        return super().entry(device) | {"data": {"log": "x" * 11_000}}


def main() -> int:
    return gpu.main(parts=plugin.Parts(reporter=Reporter))


if __name__ == "__main__":
    raise SystemExit(main())
