"""Serves v1 of the DRA API only."""

from pathlib import Path

from reference_driver import gpu, plugin
from reference_driver.plugin.service import VERSIONS


class Service(plugin.DraServer):
    def __init__(self, path: Path, handler: plugin.ClaimHandler) -> None:
        super().__init__(path, handler, VERSIONS[:1])


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
