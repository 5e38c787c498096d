"""Device names have underscores, which the API refuses."""

from collections.abc import Sequence
from typing import Any

from conformance.cluster.apirules import Rule
from tests.mutants.wrapper import Fault, run

FAULT = "B068"
BREAKS = ("RS-01",)
CAUGHT_BY = ("publishing.pool_complete",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def rules(self) -> Sequence[Rule]:
        return [Rule(("POST", "PUT", "PATCH"), "/resourceslices", change_request=_renamed)]


def _renamed(obj: dict[str, Any]) -> dict[str, Any]:
    for device in obj.get("spec", {}).get("devices") or ():
        device["name"] = device["name"].replace("-", "_") + "_"
    return obj


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
