"""The cluster that checks run on: what they hold (Cluster, Pod, Claim) and what each kind of cluster implements."""

from conformance.cluster.answer import Answer, ClaimRef, Entry, PreparedDevice
from conformance.cluster.cluster import Allocated, Applied, Claim, Cluster, Pod, need_calls
from conformance.cluster.protocol import (
    ApiFaults,
    Backend,
    ContainerView,
    Fleet,
    Installation,
    Instance,
    Node,
    PluginInfo,
    Registration,
    Shared,
    Spared,
    Telling,
)
from conformance.cluster.wait import seen_within, wait_for

__all__ = [
    "Allocated",
    "Answer",
    "ApiFaults",
    "Applied",
    "Backend",
    "Claim",
    "ClaimRef",
    "Cluster",
    "ContainerView",
    "Entry",
    "Fleet",
    "Installation",
    "Instance",
    "Node",
    "PluginInfo",
    "Pod",
    "PreparedDevice",
    "Registration",
    "Shared",
    "Spared",
    "Telling",
    "need_calls",
    "seen_within",
    "wait_for",
]
