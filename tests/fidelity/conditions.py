"""A condition as every status has them, and what can be wrong with one."""

from typing import Any

from tests.fidelity import values
from tests.fidelity.mutate import Table, grown, twice

CONDITION: dict[str, Any] = {
    "type": "Ready",
    "status": "True",
    "reason": "AsExpected",
    "message": "all is well",
    "lastTransitionTime": "2024-01-02T03:04:05Z",
    "observedGeneration": 1,
}


def conditions(field: str) -> Table:
    """What conditions under a field can be."""
    return {
        field: [[], twice, grown(8, "type"), grown(9, "type"), [{}]],
        f"{field}.*": [{}, {"type": "A", "status": "True"}],
        f"{field}.*.type": ("A", *values.LABEL_KEYS),
        f"{field}.*.status": ("True", "False", "Unknown", "true", "Maybe"),
        f"{field}.*.reason": ("A", "a_B:c,d", "1", "a b", "-", "r" * 1024, "r" * 1025),
        f"{field}.*.message": ("", "m" * 32768, "m" * 32769, "ä"),
        f"{field}.*.lastTransitionTime": values.TIMES,
        f"{field}.*.observedGeneration": values.INTEGERS,
    }
