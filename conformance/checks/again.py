"""Calls to a driver that are made again when they fail, as the kubelet does."""

from collections.abc import Callable

from conformance.checks.deadline import in_time
from conformance.cluster import Answer, Node, Pod, seen_within

PATIENCE = 3.0  # seconds; many more tries than the kubelet would make in a minute


def until_good(call: Callable[[], Answer]) -> Answer:
    """The first good answer, or the last of several bad ones: a driver may fail now and do better when asked again.

    One that came too late is bad only when three more do. Raises Inconclusive when the machine is too busy.
    """
    answers: list[Answer] = []

    def succeeds() -> bool:
        answers.append(call())
        return not answers[-1].error

    seen_within(succeeds, PATIENCE)
    return (in_time(call) if answers[-1].late else None) or answers[-1]


def prepared(node: Node, pod: Pod, pod_claim: str = "devices") -> Answer:
    """What comes of Prepare for a pod's claim; when the kubelet got errors only, what `until_good` gets.

    Raises what Pod.wait_prepared raises: without a call of the kubelet nothing is known.
    """
    answer = pod.wait_prepared(pod_claim)
    return until_good(lambda: node.prepare(pod.claim(pod_claim).ref)) if answer.error else answer
