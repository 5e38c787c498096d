"""Announces the plugin to the kubelet, which asks who is there and says what it thinks of the answer."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import log
from .dra_api import pluginregistration_pb2 as messages
from .dra_api import pluginregistration_pb2_grpc as services
from .sockets import SocketServer

_PATIENCE = 10.0  # seconds without a kubelet, after which the log says so


class RegistrationServer(SocketServer):
    """Serves `pluginregistration.Registration`, with threads of its own: the kubelet waits one second for GetInfo."""

    def __init__(self, path: Path, driver: str, endpoint: Path, versions: Sequence[str]) -> None:
        super().__init__(path, workers=2)
        self._driver = driver
        self._endpoint = endpoint
        self._versions = versions
        self.registered = False
        self._reminder = threading.Timer(_PATIENCE, self._remind)
        self._reminder.daemon = True
        services.add_RegistrationServicer_to_server(self, self.grpc)

    def GetInfo(self, request: messages.InfoRequest, context: Any) -> messages.PluginInfo:  # noqa: ARG002
        """Who we are; the kubelet takes the first version that it knows."""
        return messages.PluginInfo(
            type="DRAPlugin", name=self._driver, endpoint=str(self._endpoint), supported_versions=list(self._versions)
        )

    def NotifyRegistrationStatus(
        self,
        request: messages.RegistrationStatus,
        context: Any,  # noqa: ARG002
    ) -> messages.RegistrationStatusResponse:
        """Log it. After a refusal the kubelet tries again by itself, so that staying is right."""
        self.registered = request.plugin_registered
        if request.plugin_registered:
            log.info("registered with the kubelet")
        else:
            log.warning("the kubelet refused the registration", error=request.error)
        return messages.RegistrationStatusResponse()

    def start(self) -> None:
        """Listen, and say so in the log when no kubelet comes."""
        super().start()
        self._reminder.start()

    def stop(self, grace: float = 0) -> None:
        """Listen no more."""
        self._reminder.cancel()
        super().stop(grace)

    def _remind(self) -> None:
        if not self.registered:
            hint = "waiting; is it the --registry-dir of a kubelet that runs?"
            log.warning("no kubelet has registered the driver yet", folder=str(self.path.parent), hint=hint)
