"""When one claim cannot be prepared, the whole call fails."""

from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B022"
BREAKS = {"reference": ("PREP-03", "PREP-04"), "kubernetes-test-driver": ("PREP-03",)}
CAUGHT_BY = {
    "reference": ("preparation.bad_beside_good", "preparation.missing_device"),
    "kubernetes-test-driver": ("preparation.bad_beside_good",),
}
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        for entry in answer.claims.values():
            if entry.error:
                raise RpcFailed("INTERNAL", entry.error)
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
