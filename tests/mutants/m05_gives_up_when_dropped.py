"""Exits when a registration connection is dropped before anything was asked on it."""

import os
import socket
import threading

from reference_driver import gpu, plugin

FAULT = "M05"
CAUGHT_BY = ("registration.dropped_connection", "restart.stays_up")
BREAKS = ("REG-15", "REG-20")


class Registration(plugin.RegistrationServer):
    """Serves on a hidden socket and passes on to it whatever arrives on the announced one."""

    ending = False

    def start(self) -> None:
        self.announced = self.path
        self.path = self.path.with_name(f".behind-{self.path.name}")
        super().start()
        self.announced.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.announced))
        listener.listen()
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener: socket.socket) -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        first = connection.recv(1 << 16)
        if self.ending:
            return
        if not first:
            os._exit(1)
        behind = socket.socket(socket.AF_UNIX)
        behind.connect(str(self.path))
        behind.sendall(first)
        threading.Thread(target=pass_on, args=(behind, connection), daemon=True).start()
        pass_on(connection, behind)

    def stop(self, grace: float = 0) -> None:
        self.ending = True
        self.announced.unlink(missing_ok=True)
        super().stop(grace)


def pass_on(source: socket.socket, sink: socket.socket) -> None:
    """Copy bytes until one side ends."""
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        source.close()


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
