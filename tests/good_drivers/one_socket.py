"""Serves registration and DRA on one socket and leaves the endpoint empty."""

from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin.dra_api import pluginregistration_pb2 as messages
from reference_driver.plugin.service import VERSIONS


class Service(plugin.DraServer):
    """Serves nowhere by itself: its services move to the registration socket."""

    def __init__(self, path: Path, handler: plugin.ClaimHandler) -> None:
        super().__init__(path, handler)
        self.handler = handler
        services.append(self)

    def start(self) -> None:
        """Nothing of its own."""

    def stop(self, grace: float = 0) -> None:
        pass


class Monitor(plugin.HealthMonitor):
    """Its services move, too."""

    def add_to(self, server: Any) -> None:
        monitors.append(self)


services: list[Service] = []
monitors: list[Monitor] = []


class Registration(plugin.RegistrationServer):
    def start(self) -> None:
        service = services.pop()
        for version in VERSIONS:
            version.add_to_server(service.make_servicer(service.handler, version.messages), self.grpc)
        plugin.HealthMonitor.add_to(monitors.pop(), self.grpc)
        super().start()

    def GetInfo(self, request: messages.InfoRequest, context: Any) -> messages.PluginInfo:
        info = super().GetInfo(request, context)
        info.endpoint = ""
        return info


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service, registration=Registration, health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
