"""Calls to a driver that are made again when they fail, as the kubelet does."""

from collections.abc import Callable

from conformance.checks.deadline import in_time
from conformance.cluster import Answer, seen_within

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
