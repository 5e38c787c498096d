from typing import Any

import grpc

class DRAResourceHealthStub:
    def __init__(self, channel: grpc.Channel) -> None: ...
    NodeWatchResources: Any

class DRAResourceHealthServicer:
    def NodeWatchResources(self, request: Any, context: Any) -> Any: ...

def add_DRAResourceHealthServicer_to_server(servicer: Any, server: grpc.Server) -> None: ...
