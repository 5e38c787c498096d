"""Unprepare of a claim that was not prepared is answered without an entry."""

from typing import Any

from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B054"
BREAKS = ("UNP-03",)
CAUGHT_BY = ("unpreparing.unknown_claim",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._prepared: set[str] = set()

    def prepare(self, request: Any, send: Send) -> Any:
        self._prepared |= {claim.uid for claim in request.claims}
        return send(request)

    def unprepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        for claim in request.claims:
            if claim.uid not in self._prepared:
                answer.claims.pop(claim.uid, None)
        self._prepared -= {claim.uid for claim in request.claims}
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
