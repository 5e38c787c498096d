"""The profile `kep-5970`: seven behaviours that KEP-5970, a proposal to Kubernetes, asks of every DRA driver.

Each is judged by checks of the suite. They look at what anybody sees through the Kubernetes API, so they need no driver
file, only the names of the driver and of a device class.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.verdict import Verdict

PROFILE = "kep-5970"


@dataclass(frozen=True)
class Behaviour:
    """One row of the proposal's table "Conformance Test Scope", and the checks that judge it."""

    number: int
    title: str
    checks: tuple[str, ...]

    def standing(self, verdicts: Mapping[str, Verdict]) -> Verdict:
        """The worst verdict of its checks; NOT_RUN while one of them has none."""
        return max((verdicts.get(id, Verdict.NOT_RUN) for id in self.checks), key=_WORSE.index)


BEHAVIOURS = (
    Behaviour(1, "the driver registers with the kubelet", ("registration.known",)),
    Behaviour(2, "its devices are published in ResourceSlices", ("publishing.pool_complete",)),
    Behaviour(3, "a claim for its device class is allocated", ("allocation.of_class",)),
    Behaviour(4, "the kubelet has the claim prepared", ("preparation.lets_pod_start",)),
    Behaviour(5, "the pod runs, with what the driver injects", ("injection.container_differs",)),
    Behaviour(6, "the claim is unprepared when the pod ends", ("unpreparing.lets_pod_end",)),
    Behaviour(7, "the device can be used again", ("unpreparing.device_used_again",)),
)
CHECKS = tuple(id for behaviour in BEHAVIOURS for id in behaviour.checks)

_WORSE = (
    Verdict.PASS,
    Verdict.INFO,
    Verdict.WAIVED,
    Verdict.WARN,
    Verdict.NOT_APPLICABLE,
    Verdict.NOT_RUN,
    Verdict.BLOCKED,
    Verdict.INCONCLUSIVE,
    Verdict.FAIL,
)
