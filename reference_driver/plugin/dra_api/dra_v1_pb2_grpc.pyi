from typing import Any

import grpc

class DRAPluginStub:
    def __init__(self, channel: grpc.Channel) -> None: ...
    NodePrepareResources: Any
    NodeUnprepareResources: Any

class DRAPluginServicer:
    def NodePrepareResources(self, request: Any, context: Any) -> Any: ...
    def NodeUnprepareResources(self, request: Any, context: Any) -> Any: ...

def add_DRAPluginServicer_to_server(servicer: Any, server: grpc.Server) -> None: ...
