"""Every slice states one slice more for its pool than there are."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from conformance.cluster.apirules import Rule
from tests.mutants.wrapper import Fault, run

FAULT = "B071"
BREAKS = ("RS-05",)
CAUGHT_BY = ("publishing.pool_complete",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def rules(self) -> Sequence[Rule]:
        return [
            Rule(("POST", "PUT"), "/resourceslices", change_request=partial(_add, 1)),
            Rule((), "/resourceslices", change_answer=partial(_add, -1)),
        ]


def _add(number: int, obj: dict[str, Any]) -> dict[str, Any]:
    if obj.get("kind") == "ResourceSlice":
        obj["spec"]["pool"]["resourceSliceCount"] += number
    return obj


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
