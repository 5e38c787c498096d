"""A claim that cannot be prepared gets an entry with neither devices nor an error."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B021"
BREAKS = {"reference": ("PREP-12", "PREP-13", "PREP-15", "PREP-16", "PREP-24"), "kubernetes-test-driver": ("PREP-24",)}
CAUGHT_BY = {
    "reference": (
        "preparation.batch",
        "preparation.device_in_use",
        "preparation.invalid_config",
        "preparation.missing_device",
        "preparation.wrong_claim",
    ),
    "kubernetes-test-driver": ("preparation.invalid_config",),
}
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        for entry in answer.claims.values():
            entry.error = ""
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
