"""Unprepare of a claim that was unprepared before is an error."""

from typing import Any

from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B055"
BREAKS = ("UNP-02",)
CAUGHT_BY = ("unpreparing.cleans_up",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._done: set[str] = set()

    def prepare(self, request: Any, send: Send) -> Any:
        self._done -= {claim.uid for claim in request.claims}
        return send(request)

    def unprepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        for uid, entry in answer.claims.items():
            if uid in self._done:
                entry.error = f"claim {uid} was unprepared already"
            self._done.add(uid)
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
