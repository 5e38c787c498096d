"""Removes the registration sockets of all instances when one of them ends soon after its start."""

import time

from reference_driver import gpu, plugin

FAULT = "S66"
BREAKS = ("REG-18",)
CAUGHT_BY = ("upgrade.failed",)
SOON = 2.0  # seconds


class Instance(plugin.Plugin):
    def start(self) -> None:
        self.began = time.monotonic()
        super().start()

    def stop(self) -> None:
        super().stop()
        if time.monotonic() - self.began < SOON:
            for socket in self.options.registry_dir.glob(f"{self.driver.name}*.sock"):
                socket.unlink(missing_ok=True)


def main() -> int:
    return gpu.main(plugin=Instance)


if __name__ == "__main__":
    raise SystemExit(main())
