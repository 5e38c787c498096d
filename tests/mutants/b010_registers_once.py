"""Once registered, it refuses to tell who it is when asked again on the same socket."""

from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B010"
BREAKS = ("REG-15",)
CAUGHT_BY = ("publishing.republish", "registration.dropped_connection")
ALSO = {
    "restart.reboot": "a kubelet that starts may ask twice",
}
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._registered = False

    def get_info(self, request: Any, send: Send) -> Any:
        if self._registered:
            raise RpcFailed("FAILED_PRECONDITION", "registered already")
        return send(request)

    def notify(self, request: Any, send: Send) -> Any:
        self._registered |= request.plugin_registered
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
