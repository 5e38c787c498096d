"""A CDI device is called like the device, for one claim after the other."""

from reference_driver import gpu, plugin
from reference_driver.plugin import handler

FAULT = "B097"
BREAKS = ("CDI-05",)
CAUGHT_BY = ("unpreparing.device_free",)
ALSO = {
    "admin.beside_owner": "two claims have the same device there, and so the same CDI device",
}


def device_name(claim: plugin.Claim, device: plugin.AllocatedDevice) -> str:
    return device.device


handler.cdi_name = device_name


def main() -> int:
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
