"""Reports a claim as unprepared although its CDI spec could not be removed."""

from contextlib import suppress

from reference_driver import gpu, plugin

FAULT = "S50"
BREAKS = ("UNP-08",)
CAUGHT_BY = ("unpreparing.cleaning_fails",)


class Cdi(plugin.CdiFolder):
    def remove(self, uid: str) -> None:
        with suppress(OSError):
            super().remove(uid)


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
