"""Has a name without a domain."""

import sys

from reference_driver import gpu

FAULT = "S32"
CAUGHT_BY = ("registration.names",)
BREAKS = ("REG-06",)
EXTRA = {"driver": {"name": "gpus"}}


def main() -> int:
    return gpu.main([*sys.argv[1:], "--driver-name=gpus"])


if __name__ == "__main__":
    raise SystemExit(main())
