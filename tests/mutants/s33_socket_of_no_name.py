"""Calls its registration socket by a name that does not tell whose it is."""

from collections.abc import Sequence
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S33"
CAUGHT_BY = ("registration.names",)
BREAKS = ("REG-19",)


class Registration(plugin.RegistrationServer):
    def __init__(self, path: Path, driver: str, endpoint: Path, versions: Sequence[str]) -> None:
        super().__init__(path.with_name(f"plugin{path.name[-20:]}"), driver, endpoint, versions)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
