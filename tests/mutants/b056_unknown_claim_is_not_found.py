"""Unprepare of a claim that was never prepared fails with NOT_FOUND."""

from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B056"
BREAKS = ("UNP-03",)
CAUGHT_BY = ("unpreparing.unknown_claim",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._known: set[str] = set()

    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        self._known |= {uid for uid, entry in answer.claims.items() if not entry.error}
        return answer

    def unprepare(self, request: Any, send: Send) -> Any:
        unknown = {claim.uid for claim in request.claims} - self._known
        if unknown:
            raise RpcFailed("NOT_FOUND", f"claim {unknown.pop()} is not prepared")
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
