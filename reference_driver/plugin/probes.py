"""Whether the plugin is alive, and whether it is ready: asked through its own sockets, as the kubelet would ask.

That all threads of the DRA service are busy makes nobody dead: a new start would not let the API server answer faster.
"""

from collections.abc import Callable, Iterator

import grpc

from .dra_api import pluginregistration_pb2 as registration_messages
from .dra_api import pluginregistration_pb2_grpc as registration_services
from .registration import RegistrationServer
from .service import DraServer
from .slices import SliceController
from .sockets import SocketServer

_TIMEOUT = 1.0  # seconds; the kubelet gives GetInfo as long
STUCK = 120.0  # seconds at work after which a call hangs; the kubelet gives up after 45, and then so do calls of ours
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
        """What a new start would mend: a socket that is gone, was replaced or does not answer; a call that hangs."""
        wrong = [*self._socket(self.registration, _ask_who), *self._socket(self.service, _ask_health)]
        if (seconds := self.service.longest_call()) > STUCK:
            wrong.append(f"a call to {self.service.path} is at work since {seconds:.0f} seconds")
        return wrong

    def ready(self) -> list[str]:
        """Why pods with claims cannot come here: not alive, slices not published, not registered."""
        wrong = ["the plugin is ending"] if self.ending else self.alive()
        if self.slices.trouble:
            wrong.append(f"slices: {self.slices.trouble}")
        if not self.registration.registered:
            wrong.append("the kubelet has not registered the driver")
        return wrong

    def _socket(self, server: SocketServer, ask: Callable[[grpc.Channel], None]) -> Iterator[str]:
        if not server.is_ours():
            yield f"socket {server.path} is gone, or is another's"
            return
        try:
            with grpc.insecure_channel(f"unix:{server.path}", options=_OPTIONS) as channel:
                ask(channel)
        except grpc.RpcError as error:
            if error.code() in _DEAD:  # any other answer is one
                yield f"socket {server.path} does not answer: {error.code().name}"


def _ask_who(channel: grpc.Channel) -> None:
    stub = registration_services.RegistrationStub(channel)
    stub.GetInfo(registration_messages.InfoRequest(), timeout=_TIMEOUT)


def _ask_health(channel: grpc.Channel) -> None:
    """A service that is not there: gRPC says so, without a thread of those that do the work."""
    channel.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=_TIMEOUT)
