"""Gives the CDI device the same name in all claims."""

from reference_driver import gpu, plugin
from reference_driver.plugin import handler

FAULT = "M34"
CAUGHT_BY = ("injection.two_claims", "unpreparing.device_free")
BREAKS = ("CDI-04", "CDI-05")


def main() -> int:
    handler.cdi_name = lambda claim, device: "gpu"
    return gpu.main(parts=plugin.Parts())


if __name__ == "__main__":
    raise SystemExit(main())
