"""Unprepare of several claims in one call takes 50 seconds, the first four times."""

import threading
import time
from collections import Counter
from typing import Any

from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B066"
BREAKS = ("UNP-12",)
CAUGHT_BY = ("preparation.batch_in_time",)
WRAPS = ("reference", "kubernetes-test-driver")
TIMES = 4  # or no pod of several claims would ever be gone


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._asked = Counter[frozenset[str]]()
        self._lock = threading.Lock()

    def unprepare(self, request: Any, send: Send) -> Any:
        claims = frozenset(claim.uid for claim in request.claims)
        with self._lock:
            self._asked[claims] += 1
            times = self._asked[claims]
        if len(claims) > 1 and times <= TIMES:
            time.sleep(50)
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
