"""Goes on with a health stream that was cancelled, and so runs out of threads."""

import threading
from collections.abc import Iterator
from typing import Any

import grpc

from reference_driver import gpu, plugin

FAULT = "S83"
BREAKS = ("HLT-04",)
CAUGHT_BY = ("health.cancelled",)
ALSO = {
    "registration.clean_exit": "threads that are at work for ever keep it from ending in time",
}


class Servicer(plugin.HealthServicer):
    def NodeWatchResources(self, request: Any, context: Any) -> Iterator[Any]:
        yield from super().NodeWatchResources(request, context)
        threading.Event().wait()


class Monitor(plugin.HealthMonitor):
    def add_to(self, server: grpc.Server) -> None:
        for version in self._offered:
            version.add_to_server(Servicer(self, version.messages), server)


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
