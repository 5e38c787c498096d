"""An instance that came beside another one removes the registration sockets of both when it ends."""

from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S66"
BREAKS = ("REG-18",)
CAUGHT_BY = ("upgrade.failed",)


class Instance(plugin.Plugin):
    def start(self) -> None:
        self.beside = bool(self._sockets())
        super().start()

    def stop(self) -> None:
        super().stop()
        for socket in self._sockets() if self.beside else ():
            socket.unlink(missing_ok=True)

    def _sockets(self) -> list[Path]:
        return list(self.options.registry_dir.glob(f"{self.driver.name}*.sock"))


def main() -> int:
    return gpu.main(plugin=Instance)


if __name__ == "__main__":
    raise SystemExit(main())
