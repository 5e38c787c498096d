"""Says that a claim is prepared although its CDI spec could not be written."""

from contextlib import suppress
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S40"
CAUGHT_BY = ("preparation.failed_write",)
BREAKS = ("PREP-08",)


class Cdi(plugin.CdiFolder):
    def write(self, uid: str, spec: dict[str, Any]) -> None:
        with suppress(OSError):
            super().write(uid, spec)

    def ensure(self, uid: str, spec: dict[str, Any]) -> bool:
        try:
            return super().ensure(uid, spec)
        except OSError:
            return False


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
