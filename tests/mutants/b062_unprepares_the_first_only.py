"""Of several claims in one call only the first is unprepared, and all are said to be."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B062"
BREAKS = ("UNP-09",)
CAUGHT_BY = ("preparation.batch",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def unprepare(self, request: Any, send: Send) -> Any:
        answer = send(type(request)(claims=request.claims[:1]))
        for claim in request.claims[1:]:
            answer.claims[claim.uid].error = ""
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
