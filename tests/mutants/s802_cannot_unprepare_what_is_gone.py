"""Fails Unprepare when the claim's device has vanished."""

from reference_driver import gpu, plugin

FAULT = "S802"
BREAKS = ("UNP-14",)
CAUGHT_BY = ("unpreparing.device_gone",)


class Handler(plugin.ClaimHandler):
    driver: gpu.GpuDriver

    def discard(self, record: plugin.ClaimRecord) -> None:
        there = {each.name for each in self.driver.gpus}
        for device in record.devices:
            if device.device not in there:
                raise plugin.ClaimError(f"device {device.device} cannot be reset: it does not exist")
        super().discard(record)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
