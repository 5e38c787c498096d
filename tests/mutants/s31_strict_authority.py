"""Closes connections on which a call has a percent-encoded path for its authority, as strict HTTP/2 servers do."""

import socket
import threading
from collections.abc import Sequence
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S31"
CAUGHT_BY = ("registration.registers",)
BREAKS = ("REG-24",)
ENCODED = b"%2F"


class Registration(plugin.RegistrationServer):
    """Serves beside the socket that it announces, and passes on what it likes."""

    def __init__(self, path: Path, driver: str, endpoint: Path, versions: Sequence[str]) -> None:
        super().__init__(endpoint.with_name(f"r-{endpoint.name}"), driver, endpoint, versions)
        self.announced = path

    def start(self) -> None:
        super().start()
        self.announced.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.announced))
        listener.listen()
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def stop(self, grace: float = 0) -> None:
        self.announced.unlink(missing_ok=True)
        super().stop(grace)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            outside, _ = listener.accept()
            inside = socket.socket(socket.AF_UNIX)
            inside.connect(str(self.path))
            for ends in ((outside, inside), (inside, outside)):
                threading.Thread(target=pass_on, args=ends, daemon=True).start()


def pass_on(source: socket.socket, target: socket.socket) -> None:
    """Copy what comes until one side ends, or until it is not liked."""
    try:
        while (part := source.recv(65536)) and ENCODED not in part:
            target.sendall(part)
    except OSError:
        pass
    for end in (source, target):
        end.close()


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
