"""Gives the CDI device of every share the name of the device that is shared."""

from reference_driver import gpu
from reference_driver.plugin import handler

FAULT = "M34 (shares)"
CAUGHT_BY = ("shares.two_claims",)
BREAKS = ("PREP-27",)
BASE = "reference-extras"


def main() -> int:
    own = handler.cdi_name
    handler.cdi_name = lambda claim, device: device.device if device.share_id else own(claim, device)
    return gpu.main()


if __name__ == "__main__":
    raise SystemExit(main())
