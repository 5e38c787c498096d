from typing import Any

import grpc

class RegistrationStub:
    def __init__(self, channel: grpc.Channel) -> None: ...
    GetInfo: Any
    NotifyRegistrationStatus: Any

class RegistrationServicer:
    def GetInfo(self, request: Any, context: Any) -> Any: ...
    def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any: ...

def add_RegistrationServicer_to_server(servicer: Any, server: grpc.Server) -> None: ...
