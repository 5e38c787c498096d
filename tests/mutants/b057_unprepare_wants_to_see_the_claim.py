"""Unprepare fails when the claim is no longer in the API server."""

from typing import Any

from conformance.cluster.api import Api, ApiError
from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B057"
BREAKS = ("UNP-03",)
CAUGHT_BY = ("unpreparing.unknown_claim",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def unprepare(self, request: Any, send: Send) -> Any:
        api = Api.from_kubeconfig(self.place.kubeconfig)
        gone = {}
        for claim in request.claims:
            try:
                api.get("resourceclaims", claim.name, claim.namespace)
            except ApiError as error:
                gone[claim.uid] = str(error)
        api.close()
        answer = send(type(request)(claims=[claim for claim in request.claims if claim.uid not in gone]))
        for uid, why in gone.items():
            answer.claims[uid].error = why
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
