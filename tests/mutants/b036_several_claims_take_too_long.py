"""Prepare of several claims in one call takes 50 seconds."""

import time
from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B036"
BREAKS = ("PREP-17",)
CAUGHT_BY = ("preparation.batch_in_time",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        if len(request.claims) > 1:
            time.sleep(50)
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
