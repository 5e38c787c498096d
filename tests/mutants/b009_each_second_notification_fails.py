"""Every second NotifyRegistrationStatus(true) is answered with an error."""

import itertools
from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, Place, run
from tests.mutants.wrapper.fault import Send

FAULT = "B009"
BREAKS = ("REG-12", "REG-13")
CAUGHT_BY = ("registration.every_notification", "registration.refused")
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self._number = itertools.count(1)

    def notify(self, request: Any, send: Send) -> Any:
        answer = send(request)
        if request.plugin_registered and next(self._number) % 2 == 0:
            raise RpcFailed("INTERNAL", "I am registered already")
        return answer


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
