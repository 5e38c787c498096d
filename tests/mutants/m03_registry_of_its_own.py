"""Registers in a folder of its own choice, wherever the kubelet's is."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "M03"
CAUGHT_BY = ("registration.registers",)
BREAKS = ("REG-01",)


class Registration(plugin.RegistrationServer):
    def __init__(self, path: Path, driver: str, endpoint: Path, versions: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        super().__init__(Path(self._folder.name) / path.name, driver, endpoint, versions)

    def stop(self, grace: float = 0) -> None:
        super().stop(grace)
        self._folder.cleanup()


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
