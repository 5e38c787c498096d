"""When several claims are prepared in one call, the answer has no entry for the last."""

from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B019"
BREAKS = ("PREP-01", "PREP-20", "PREP-31")
CAUGHT_BY = ("preparation.batch", "preparation.batch_in_time", "preparation.every_answer")
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        answer = send(request)
        if len(request.claims) > 1:
            del answer.claims[request.claims[-1].uid]
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
