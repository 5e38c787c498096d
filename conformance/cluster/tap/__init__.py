"""The tap: between a real kubelet and the drivers of a node. Records every call, and may disturb it.

Drivers make their registration sockets in a shadow folder; for each the tap makes one in the kubelet's own folder and
passes all calls on. Its sockets and connections live and die with those of the drivers.
"""

import os

# As for our own kubelet: gRPC reads this when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from conformance.cluster.tap.places import Places
from conformance.cluster.tap.tap import Tap

__all__ = ["Places", "Tap"]
