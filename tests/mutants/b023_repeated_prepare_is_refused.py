"""Prepare of a claim that is prepared fails with ALREADY_EXISTS."""

from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B023"
BREAKS = {"reference": ("PREP-05", "PREP-19", "PREP-33"), "kubernetes-test-driver": ("PREP-05", "PREP-19")}
CAUGHT_BY = {
    "reference": ("preparation.api_errors", "preparation.device_back", "preparation.repeat_same_devices"),
    "kubernetes-test-driver": ("preparation.api_errors", "preparation.repeat_same_devices"),
}
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._prepared: set[str] = set()

    def prepare(self, request: Any, send: Send) -> Any:
        known = {claim.uid for claim in request.claims} & self._prepared
        if known:
            raise RpcFailed("ALREADY_EXISTS", f"claim {known.pop()} is prepared")
        answer = send(request)
        self._prepared |= {uid for uid, entry in answer.claims.items() if not entry.error}
        return answer

    def unprepare(self, request: Any, send: Send) -> Any:
        self._prepared -= {claim.uid for claim in request.claims}
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
