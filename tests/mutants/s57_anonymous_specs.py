"""Calls the CDI specs of its claims as any other driver may call its own, after the claim alone."""

from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S57"
BREAKS = ("CDI-07",)
CAUGHT_BY = ("injection.own_names",)


class Cdi(plugin.CdiFolder):
    def __init__(self, folder: Path, kind: str) -> None:
        super().__init__(folder, kind)
        self._prefix = "claim-"


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
