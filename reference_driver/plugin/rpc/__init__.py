"""A gRPC server on unix sockets: as much of gRPC over HTTP/2 as the services of the kubelet need, and quick.

It takes the place of grpc.server, whose work for a call takes two to three times the processor time, and does not let
the kubelet's API be served nearly as fast as drivers in Go serve it (docs/speed.md). Servicers, generated code and
everything that they use of grpc stay as they are.
"""

from .call import Call
from .server import Server
from .workers import Workers

__all__ = ["Call", "Server", "Workers"]
