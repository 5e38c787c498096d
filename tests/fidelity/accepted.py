"""Differences that are known and stay, each with its reason: meant to be few."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Accepted:
    """A difference that counts as none: all of the texts are in what is told about it."""

    texts: Sequence[str]
    reason: str


_WRAPPED = "Kubernetes takes a number that is too large for its field for another one in these patches; ours refuses it"

ACCEPTED = (
    *(
        Accepted((f"): {way}", f" = {number}"), _WRAPPED)
        for way in ("strategic patch", "apply")
        for number in (2**63, 2**63 - 1, 2**31)
    ),
    *(Accepted((f"): {way}", " = -9223372036854775808"), _WRAPPED) for way in ("strategic patch", "apply")),
    *(
        Accepted((f"({way}-patch+", " = 1.0"), "Kubernetes takes 1.0 for an integer in these patches; ours refuses it")
        for way in ("application/strategic-merge", "application/apply")
    ),
    *(
        Accepted((text,), "Kubernetes sees parts of a second and the year 1, and keeps neither; ours does not see them")
        for field in ("timeAdded", "allocationTimestamp")
        for text in (f'{field} = "2024-01-02T03:04:05.678Z"', f'{field} = "0001-01-01T00:00:00Z"')
    ),
    *(
        Accepted(
            (f"application/{way}-patch+", '"d": 12345678901234567890}'),
            "Kubernetes rounds integers beyond int64 in free-form data that comes in these patches; ours keeps them",
        )
        for way in ("strategic-merge", "apply")
    ),
    Accepted(
        ("PATCH", "strategic-merge-patch", "theirs: 0 ProtocolError"),
        "Kubernetes panics and hangs up where the merge key in a strategic merge patch is no scalar; ours refuses",
    ),
)


def accepted(told: str) -> Accepted | None:
    """The row for a difference, if there is one."""
    return next((row for row in ACCEPTED if all(text in told for text in row.texts)), None)
