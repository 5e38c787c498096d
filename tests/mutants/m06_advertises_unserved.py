"""Announces v1beta1.DRAPlugin, which its endpoint does not serve."""

from pathlib import Path

from reference_driver import gpu, plugin
from reference_driver.plugin.service import VERSIONS

FAULT = "M06"
CAUGHT_BY = ("registration.advertised_services",)
BREAKS = ("REG-11",)


class Service(plugin.DraServer):
    def __init__(self, path: Path, handler: plugin.ClaimHandler) -> None:
        super().__init__(path, handler, VERSIONS[:1])
        self.versions = [version.name for version in VERSIONS]


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
