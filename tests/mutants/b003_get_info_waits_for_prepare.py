"""GetInfo takes a second and a half longer when a Prepare is under way or has just been."""

import time
from typing import Any

from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B003"
BREAKS = ("REG-03",)
CAUGHT_BY = ("registration.asked_at_work",)
WRAPS = ("reference", "kubernetes-test-driver")
JUST = 0.5  # seconds


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._prepared = float("-inf")

    def get_info(self, request: Any, send: Send) -> Any:
        if time.monotonic() - self._prepared < JUST:
            time.sleep(1.5)
        return send(request)

    def prepare(self, request: Any, send: Send) -> Any:
        self._prepared = time.monotonic()
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
