"""An instance that came beside another one removes the registration sockets of both when it ends."""

import socket
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S66"
BREAKS = ("REG-18",)
CAUGHT_BY = ("upgrade.failed",)


class Instance(plugin.Plugin):
    def start(self) -> None:
        registry = self.options.registry_dir
        self.others = [path for path in registry.glob(f"{self.driver.name}*.sock") if is_served(path)]
        super().start()

    def stop(self) -> None:
        super().stop()
        for path in self.others:
            path.unlink(missing_ok=True)


def is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True


def main() -> int:
    return gpu.main(plugin=Instance)


if __name__ == "__main__":
    raise SystemExit(main())
