"""Differences between the embedded cluster and another one that are accepted, each with its reason.

The list is to stay short: where the embedded cluster plays Kubernetes wrongly, it is mended instead.
"""

from dataclasses import dataclass

from conformance.verdict import Verdict


@dataclass(frozen=True)
class Difference:
    """One check of one driver: the verdict on the cluster that differs from the embedded one, and why it may."""

    driver: str
    cluster: str
    check: str
    verdict: Verdict
    reason: str


ACCEPTED: tuple[Difference, ...] = ()


def accepted(driver: str, cluster: str) -> dict[str, Verdict]:
    """The verdicts that may differ, by check."""
    return {row.check: row.verdict for row in ACCEPTED if (row.driver, row.cluster) == (driver, cluster)}
