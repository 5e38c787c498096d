"""Nodes whose drivers are found and called from outside the kubelet, where nothing stands between the two."""

import os

# As for our own kubelet: gRPC reads this when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from conformance.cluster.direct.node import DirectNode
from conformance.cluster.direct.registry import Registry

__all__ = ["DirectNode", "Registry"]
