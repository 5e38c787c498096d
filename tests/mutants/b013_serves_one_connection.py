"""Only the first connection to its DRA socket on which anything is said is served; no kubelet can connect again."""

import socket
import threading
from contextlib import suppress

from reference_driver import gpu, plugin

FAULT = "B013"
BREAKS = ("REG-20", "HLT-02", "HLT-04")
CAUGHT_BY = ("health.cancelled", "health.reports", "publishing.republish")
ALSO = {
    "restart.reboot": "a kubelet that starts may connect twice",
}


class FirstOnly(plugin.DraServer):
    def start(self) -> None:
        public, self.path = self.path, self.path.with_name(f"i{self.path.name}")
        super().start()
        public.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(public))
        listener.listen()
        self._public = public
        threading.Thread(target=self._relay, args=(listener,), daemon=True).start()

    def stop(self, grace: float = 0) -> None:
        super().stop(grace)
        self._public.unlink(missing_ok=True)

    def _relay(self, listener: socket.socket) -> None:
        outer, _ = listener.accept()
        while not outer.recv(1, socket.MSG_PEEK):  # closed again without a word
            outer.close()
            outer, _ = listener.accept()
        inner = socket.socket(socket.AF_UNIX)
        inner.connect(str(self.path))
        threading.Thread(target=_pump, args=(outer, inner), daemon=True).start()
        _pump(inner, outer)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=FirstOnly))


if __name__ == "__main__":
    raise SystemExit(main())
