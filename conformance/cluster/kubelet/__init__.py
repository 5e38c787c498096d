"""The kubelet's part of dynamic resource allocation, played by the suite: registration, Prepare and Unprepare, pods."""

import os

# gRPC's own log lines about connections that come and go are noise here; it reads this when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from conformance.cluster.kubelet.checkpoint import CheckpointCorrupt
from conformance.cluster.kubelet.kubelet import Kubelet
from conformance.cluster.kubelet.rpc import Call, Interceptor, RpcFailed, Send
from conformance.cluster.kubelet.runtime import Container, ContainerError, Runtime
from conformance.cluster.kubelet.settings import KubeletSettings

__all__ = [
    "Call",
    "CheckpointCorrupt",
    "Container",
    "ContainerError",
    "Interceptor",
    "Kubelet",
    "KubeletSettings",
    "RpcFailed",
    "Runtime",
    "Send",
]
