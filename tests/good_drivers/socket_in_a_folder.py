"""Has its registration socket in a folder of its own below the kubelet's, under a short name."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from reference_driver import gpu, plugin

WARNED = ("registration.names",)  # REG-19: a socket that is called after the driver


class Registration(plugin.RegistrationServer):
    def __init__(self, path: Path, driver: str, endpoint: Path, versions: Sequence[str]) -> None:
        name = hashlib.sha256(path.name.encode()).hexdigest()[:8]
        super().__init__(path.parent / "gpu" / f"{name}.sock", driver, endpoint, versions)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
