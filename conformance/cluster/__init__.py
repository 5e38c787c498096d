"""The cluster that checks run on: what they hold (Cluster, Pod, Claim) and what each kind of cluster implements."""

from conformance.cluster.answer import Answer, ClaimRef, Entry, PreparedDevice
from conformance.cluster.cluster import Allocated, Applied, Claim, Cluster, Pod
from conformance.cluster.protocol import Backend, ContainerView, Installation, Instance, Node, PluginInfo, Registration
from conformance.cluster.wait import seen_within, wait_for

__all__ = [
    "Allocated",
    "Answer",
    "Applied",
    "Backend",
    "Claim",
    "ClaimRef",
    "Cluster",
    "ContainerView",
    "Entry",
    "Installation",
    "Instance",
    "Node",
    "PluginInfo",
    "Pod",
    "PreparedDevice",
    "Registration",
    "seen_within",
    "wait_for",
]
