"""The programs of a Kubernetes control plane: found on this machine, or built from their Go modules."""

from conformance.cluster.binaries.building import PROGRAMS
from conformance.cluster.binaries.finding import Binaries, Wanted, find, provide
from conformance.cluster.binaries.version import BinariesError

__all__ = ["PROGRAMS", "Binaries", "BinariesError", "Wanted", "find", "provide"]
