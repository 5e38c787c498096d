"""Who watched before a device fell sick goes on hearing that it is well, once somebody else watches, too."""

from collections.abc import Iterator
from typing import Any

import grpc

from reference_driver import gpu, plugin

FAULT = "S930"
BREAKS = ("HLT-02",)
CAUGHT_BY = ("health.sick_device",)


class Servicer(plugin.HealthServicer):
    newest: Any = None

    def NodeWatchResources(self, request: Any, context: Any) -> Iterator[Any]:
        Servicer.newest = context
        for answer in super().NodeWatchResources(request, context):
            if context is not Servicer.newest:
                for row in answer.devices:
                    row.health = 1
            yield answer


class Monitor(plugin.HealthMonitor):
    def add_to(self, server: grpc.Server) -> None:
        for version in self._offered:
            version.add_to_server(Servicer(self, version.messages), server)


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
