"""While a call is under way it refuses every other with RESOURCE_EXHAUSTED."""

import threading
from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B014"
BREAKS = ("REG-21",)
CAUGHT_BY = ("registration.parallel_calls",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._busy = threading.Lock()

    def prepare(self, request: Any, send: Send) -> Any:
        return self._alone(request, send)

    def unprepare(self, request: Any, send: Send) -> Any:
        return self._alone(request, send)

    def _alone(self, request: Any, send: Send) -> Any:
        if not self._busy.acquire(blocking=False):
            raise RpcFailed("RESOURCE_EXHAUSTED", "another call is under way")
        try:
            return send(request)
        finally:
            self._busy.release()


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
