"""Of several claims in one call only the first is prepared, the others get an error."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B039"
BREAKS = ("PREP-20",)
CAUGHT_BY = ("preparation.batch",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        first = type(request)(claims=request.claims[:1])
        answer = send(first)
        for claim in request.claims[1:]:
            if claim.uid not in answer.claims:
                answer.claims[claim.uid].error = f"claim {claim.name}: one claim at a time, please"
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
