"""Slices with shared counters stay a generation behind those with the devices."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from conformance.cluster.apirules import Rule
from tests.mutants.wrapper import Fault, run

FAULT = "B073"
BREAKS = ("RS-05",)
CAUGHT_BY = ("publishing.pool_complete",)
WRAPS = ("reference-extras",)


class Wrong(Fault):
    def rules(self) -> Sequence[Rule]:
        return [
            Rule(("POST", "PUT"), "/resourceslices", change_request=partial(_add, -1)),
            Rule((), "/resourceslices", change_answer=partial(_add, 1)),
        ]


def _add(number: int, obj: dict[str, Any]) -> dict[str, Any]:
    if obj.get("kind") == "ResourceSlice" and obj["spec"].get("sharedCounters"):
        obj["spec"]["pool"]["generation"] += number
    return obj


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
