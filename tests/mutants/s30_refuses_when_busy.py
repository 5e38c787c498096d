"""Refuses calls that come on its connection while it is at another one."""

import threading
from typing import Any

import grpc

from reference_driver import gpu, plugin

FAULT = "S30"
CAUGHT_BY = ("registration.parallel_calls",)
BREAKS = ("REG-21",)
WORK = 0.01  # seconds that a call takes, so that calls overlap


class Servicer(plugin.DraServicer):
    def __init__(self, handler: plugin.ClaimHandler, messages: Any) -> None:
        super().__init__(handler, messages)
        self._busy = threading.Lock()

    def _call(self, method: str, work: Any, request: Any, context: Any) -> Any:
        if not self._busy.acquire(blocking=False):
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "the driver is busy")
        try:
            threading.Event().wait(WORK)
            return super()._call(method, work, request, context)
        finally:
            self._busy.release()


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
