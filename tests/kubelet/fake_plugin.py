"""A DRA plugin in the test's own process, on real sockets, that answers as it is told."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from conformance.cluster.dra_api import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_health_v1alpha1_pb2,
    dra_health_v1alpha1_pb2_grpc,
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
    pluginregistration_pb2,
    pluginregistration_pb2_grpc,
)

Devices = Callable[[str], list[dict[str, Any]]]
SERVICES = {"v1.DRAPlugin": (dra_v1_pb2, dra_v1_pb2_grpc), "v1beta1.DRAPlugin": (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc)}

HEALTH = {
    "v1.DRAResourceHealth": (dra_health_v1_pb2, dra_health_v1_pb2_grpc),
    "v1alpha1.DRAResourceHealth": (dra_health_v1alpha1_pb2, dra_health_v1alpha1_pb2_grpc),
}


def one_device(uid: str) -> list[dict[str, Any]]:
    """The devices of a claim: one, for all requests, whose CDI name has the claim's UID."""
    return [{"pool_name": "node-a", "device_name": "gpu-0", "cdi_device_ids": [f"example.com/gpu={uid}"]}]


class FakePlugin:
    """Both services of a driver. Change the attributes at any time; `calls` has (method, claim UIDs)."""

    def __init__(self, folder: Path, registry: Path, name: str = "gpu.example.com", suffix: str = "") -> None:
        self.info: dict[str, Any] = {
            "type": "DRAPlugin",
            "name": name,
            "endpoint": str(folder / f"dra{suffix}.sock"),
            "supported_versions": ["v1.DRAPlugin", "v1beta1.DRAPlugin"],
        }
        self.registration_socket = registry / f"{name}{suffix}.sock"
        self.endpoint_socket = folder / f"dra{suffix}.sock"
        self.calls: list[tuple[str, list[str]]] = []
        self.notified: list[tuple[bool, str]] = []
        self.notify_fails = False
        self.prepare_errors: dict[str, str] = {}
        self.unprepare_errors: dict[str, str] = {}
        self.devices: Devices = one_device
        self.answer_uids: Callable[[list[str]], list[str]] = list
        self.abort: tuple[grpc.StatusCode, str] | None = None
        self.hold: threading.Event | None = None
        self.health: queue.Queue[list[dict[str, Any]] | grpc.StatusCode] = queue.Queue()
        self.changed = threading.Condition()
        self._servers: dict[Path, tuple[grpc.Server, ThreadPoolExecutor]] = {}

    def start(self) -> "FakePlugin":
        """Serve the DRA services, then registration."""
        self.serve_endpoint()
        self.serve_registration()
        return self

    def serve_endpoint(self) -> None:
        """Serve the DRA services."""
        server = self._server(self.endpoint_socket)
        for name, (messages, stubs) in SERVICES.items():
            stubs.add_DRAPluginServicer_to_server(_DraService(self, name, messages), server)
        for messages, stubs in HEALTH.values():
            stubs.add_DRAResourceHealthServicer_to_server(_Health(self, messages), server)
        self._listen(self.endpoint_socket, server)

    def serve_registration(self) -> None:
        """Serve registration."""
        server = self._server(self.registration_socket)
        pluginregistration_pb2_grpc.add_RegistrationServicer_to_server(_Registration(self), server)
        self._listen(self.registration_socket, server)

    def close(self, socket: Path) -> None:
        """End one of the servers; its socket is removed."""
        server, pool = self._servers.pop(socket)
        server.stop(None).wait()
        pool.shutdown()
        socket.unlink(missing_ok=True)

    def stop(self) -> None:
        """End both servers."""
        if self.hold is not None:
            self.hold.set()
        self.health.put(grpc.StatusCode.CANCELLED)
        for socket in list(self._servers):
            self.close(socket)

    def note(self, change: Callable[[], None]) -> None:
        """Change what was seen, and wake those who wait for it."""
        with self.changed:
            change()
            self.changed.notify_all()

    def wait(self, condition: Callable[[], bool], timeout: float = 5) -> None:
        """Wait until something was seen."""
        with self.changed:
            assert self.changed.wait_for(condition, timeout), (self.calls, self.notified)

    def _server(self, socket: Path) -> grpc.Server:
        socket.parent.mkdir(parents=True, exist_ok=True)
        socket.unlink(missing_ok=True)
        pool = ThreadPoolExecutor(4)
        server = grpc.server(pool)
        self._servers[socket] = (server, pool)
        return server

    def _listen(self, socket: Path, server: grpc.Server) -> None:
        server.add_insecure_port(f"unix:{socket}")
        server.start()


class _Registration(pluginregistration_pb2_grpc.RegistrationServicer):
    def __init__(self, plugin: FakePlugin) -> None:
        self._plugin = plugin

    def GetInfo(self, request: Any, context: Any) -> Any:
        self._plugin.note(lambda: self._plugin.calls.append(("GetInfo", [])))
        if self._plugin.hold is not None:
            self._plugin.hold.wait(5)
        return pluginregistration_pb2.PluginInfo(**self._plugin.info)

    def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any:
        self._plugin.note(lambda: self._plugin.notified.append((request.plugin_registered, request.error)))
        if self._plugin.notify_fails:
            context.abort(grpc.StatusCode.INTERNAL, "no thanks")
        return pluginregistration_pb2.RegistrationStatusResponse()


class _DraService:
    def __init__(self, plugin: FakePlugin, service: str, messages: Any) -> None:
        self._plugin = plugin
        self._service = service
        self._messages = messages

    def _enter(self, method: str, request: Any, context: Any) -> list[str]:
        plugin = self._plugin
        uids = [claim.uid for claim in request.claims]
        plugin.note(lambda: plugin.calls.append((method, uids)))
        if plugin.hold is not None:
            plugin.hold.wait(5)
        if plugin.abort is not None:
            context.abort(*plugin.abort)
        return plugin.answer_uids(uids)

    def NodePrepareResources(self, request: Any, context: Any) -> Any:
        response = self._messages.NodePrepareResourcesResponse()
        for uid in self._enter("NodePrepareResources", request, context):
            error = self._plugin.prepare_errors.get(uid, "")
            response.claims[uid].error = error
            if not error:
                devices = [self._messages.Device(**device) for device in self._plugin.devices(uid)]
                response.claims[uid].devices.extend(devices)
        return response

    def NodeUnprepareResources(self, request: Any, context: Any) -> Any:
        response = self._messages.NodeUnprepareResourcesResponse()
        for uid in self._enter("NodeUnprepareResources", request, context):
            response.claims[uid].error = self._plugin.unprepare_errors.get(uid, "")
        return response


class _Health:
    def __init__(self, plugin: FakePlugin, messages: Any) -> None:
        self._plugin = plugin
        self._messages = messages

    def NodeWatchResources(self, request: Any, context: Any) -> Any:
        self._plugin.note(lambda: self._plugin.calls.append(("NodeWatchResources", [])))
        while context.is_active():
            try:
                report = self._plugin.health.get(timeout=0.05)
            except queue.Empty:
                continue
            if isinstance(report, grpc.StatusCode):
                context.abort(report, "the test ends the stream")
            yield self._messages.NodeWatchResourcesResponse(
                devices=[self._messages.DeviceHealth(**device) for device in report]
            )
