"""Why a pod cannot run on any node now, in Kubernetes' words.

Source: FitError in pkg/scheduler/framework/types.go, and pkg/scheduler/framework/preemption.
"""

from collections import Counter
from collections.abc import Iterable

from conformance.cluster.embedded.scheduler.filters import Rejected
from conformance.cluster.embedded.scheduler.model import UnsuitableNode

_NOT_HELPFUL = "Preemption is not helpful for scheduling"
_NO_VICTIMS = "No preemption victims found for incoming pod"


class NoPlacement(Exception):
    """The pod cannot run now. `reason` is that of the condition PodScheduled, `told` makes its message.

    unavailable: UIDs of allocated claims that no node could use; left_over: a claim for extended resources of an
    earlier try is in the way.
    """

    def __init__(
        self,
        message: str,
        reason: str = "Unschedulable",
        *,
        preemption: str = "",
        unavailable: frozenset[str] = frozenset(),
        left_over: bool = False,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.unavailable = unavailable
        self.left_over = left_over
        self._preemption = preemption

    def told(self, done: str = "") -> str:
        """The message; `done` is what the scheduler has done about it, "" for nothing."""
        after = ", ".join(part for part in (done, self._preemption) if part)
        return f"{self} {after}" if after else str(self)


class Reasons:
    """What speaks against each node, counted."""

    def __init__(self, nodes: int) -> None:
        """nodes: how many there are in all."""
        self._nodes = nodes
        self._seen = 0
        self._counts: Counter[str] = Counter()
        self._preemptable = 0

    def add(self, reason: UnsuitableNode) -> None:
        """One node cannot be used."""
        self._seen += 1
        if isinstance(reason, Rejected):
            self._counts.update(reason.reasons)
            self._preemptable += reason.preemptable
        else:
            self._counts[str(reason)] += 1

    def problem(self, *, unavailable: Iterable[str] = (), left_over: bool = False) -> NoPlacement:
        """All of it as an exception. Nodes that were not looked at are those that the pod's affinity does not name."""
        counts = Counter(self._counts)
        if self._seen < self._nodes:
            counts["node(s) didn't satisfy plugin(s) [NodeAffinity]"] += self._nodes - self._seen
        return NoPlacement(
            f"{_head(self._nodes)} {_joined(counts)}.",
            preemption=_preemption(self._nodes, self._preemptable),
            unavailable=frozenset(unavailable),
            left_over=left_over,
        )


def against_all(nodes: int, why: str, *, preemption: str = "") -> NoPlacement:
    """Something keeps the pod from any node; `preemption`: what is said of that, if it is not as usual."""
    return NoPlacement(f"{_head(nodes)} {why}.", preemption=preemption or _preemption(nodes, 0))


def _head(nodes: int) -> str:
    return f"0/{nodes} nodes are available:"


def _preemption(nodes: int, preemptable: int) -> str:
    counts = Counter({_NO_VICTIMS: preemptable, _NOT_HELPFUL: nodes - preemptable})
    return f"preemption: {_head(nodes)} {_joined(counts)}."


def _joined(counts: Counter[str]) -> str:
    return ", ".join(sorted(f"{count} {reason}" for reason, count in counts.items() if count))
