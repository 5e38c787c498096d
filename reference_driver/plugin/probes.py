"""Whether the plugin is alive, and whether it is ready: asked through its own sockets, as the kubelet would ask."""

from collections.abc import Iterator
from typing import Any

import grpc

from .dra_api import pluginregistration_pb2 as registration_messages
from .dra_api import pluginregistration_pb2_grpc as registration_services
from .registration import RegistrationServer
from .service import DraServer
from .slices import SliceController
from .sockets import SocketServer

_TIMEOUT = 1.0  # seconds; the kubelet gives GetInfo as long
_DEAD = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own, made by the socket's path each time


class Probes:
    """Asks the two sockets; each method gives what is wrong, nothing when all is well."""

    def __init__(self, registration: RegistrationServer, service: DraServer, slices: SliceController) -> None:
        self.registration = registration
        self.service = service
        self.slices = slices
        self.ending = False

    def alive(self) -> list[str]:
        """What a new start of the process would mend: a socket that is gone, was replaced, or does not answer."""
        return [*self._socket(self.registration, self._ask_who), *self._socket(self.service, self._ask_for_nothing)]

    def ready(self) -> list[str]:
        """Why pods with claims cannot come here: not alive, slices not published, not registered."""
        wrong = ["the plugin is ending"] if self.ending else self.alive()
        if self.slices.trouble:
            wrong.append(f"slices: {self.slices.trouble}")
        if not self.registration.registered:
            wrong.append("the kubelet has not registered the driver")
        return wrong

    def _socket(self, server: SocketServer, ask: Any) -> Iterator[str]:
        if not server.is_ours():
            yield f"socket {server.path} is gone, or is another's"
            return
        try:
            with grpc.insecure_channel(f"unix:{server.path}", options=_OPTIONS) as channel:
                ask(channel)
        except grpc.RpcError as error:
            if error.code() in _DEAD:  # any other answer is one
                yield f"socket {server.path} does not answer: {error.code().name}"

    def _ask_who(self, channel: grpc.Channel) -> None:
        stub = registration_services.RegistrationStub(channel)
        stub.GetInfo(registration_messages.InfoRequest(), timeout=_TIMEOUT)

    def _ask_for_nothing(self, channel: grpc.Channel) -> None:
        """Prepare without claims: passes all of gRPC and a thread of the service, and changes nothing."""
        messages = self.service.offered[0].messages
        method = f"/{messages.DESCRIPTOR.services_by_name['DRAPlugin'].full_name}/NodePrepareResources"
        call = channel.unary_unary(method, messages.NodePrepareResourcesRequest.SerializeToString)
        call(messages.NodePrepareResourcesRequest(), timeout=_TIMEOUT)
