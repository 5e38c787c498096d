"""Whether a pod may run on a node at all, devices apart: cordons, taints, affinity and resources of the node.

Source: the plugins NodeUnschedulable, TaintToleration, NodeAffinity and NodeResourcesFit of the Kubernetes scheduler.
"""

from collections.abc import Iterable, Sequence

from conformance.cluster.embedded.scheduler.constraints import tolerates
from conformance.cluster.embedded.scheduler.model import Json, UnsuitableNode
from conformance.cluster.embedded.scheduler.nodes import matches_pod
from conformance.cluster.embedded.scheduler.podresources import Amounts, Usage

_CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


class Rejected(UnsuitableNode):
    """The node does not have what the pod asks for; the reasons are Kubernetes'.

    preemptable: it would have it, if other pods were not there.
    """

    def __init__(self, reasons: Sequence[str], *, preemptable: bool = False) -> None:
        super().__init__(", ".join(reasons))
        self.reasons = list(reasons)
        self.preemptable = preemptable


def check(pod: Json, node: Json, wanted: Amounts, usage: Usage) -> None:
    """Raises Rejected when the pod, which asks for the resources `wanted`, cannot run on the node."""
    spec = node.get("spec") or {}
    tolerations = (pod.get("spec") or {}).get("tolerations") or ()
    if spec.get("unschedulable") and not tolerated(_CORDON, tolerations):
        raise Rejected(["node(s) were unschedulable"])
    hard = [taint for taint in spec.get("taints") or () if taint.get("effect") in ("NoSchedule", "NoExecute")]
    if not all(tolerated(taint, tolerations) for taint in hard):
        raise Rejected(["node(s) had untolerated taint(s)"])
    if not matches_pod(node, pod):
        raise Rejected(["node(s) didn't match Pod's node affinity/selector"])
    reasons, preemptable = usage.lacking(node, wanted)
    if reasons:
        raise Rejected(reasons, preemptable=preemptable)


def tolerated(taint: Json, tolerations: Iterable[Json]) -> bool:
    """Whether one of a pod's tolerations covers a taint of a node."""
    return any(tolerates(toleration, taint) for toleration in tolerations)


def named_nodes(pod: Json) -> set[str] | None:
    """The only nodes that the pod's required affinity allows by their names; None when it names none.

    Source: PreFilter of the NodeAffinity plugin.
    """
    affinity = ((pod.get("spec") or {}).get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    names: set[str] | None = None
    for term in required.get("nodeSelectorTerms") or ():
        fields = [
            set(row.get("values") or ())
            for row in term.get("matchFields") or ()
            if row["key"] == "metadata.name" and row["operator"] == "In"
        ]
        if not fields:
            return None
        names = (names or set()) | set.intersection(*fields)
    return names
