"""The pool in the answer is the name of the driver."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B029"
BREAKS = ("PREP-10",)
CAUGHT_BY = ("preparation.one_claim",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        for entry in answer.claims.values():
            for device in entry.devices:
                device.pool_name = self.place.driver
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
