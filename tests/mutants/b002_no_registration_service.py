"""The registration socket serves everything but the Registration service."""

from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B002"
BREAKS = ("REG-02",)
CAUGHT_BY = ("registration.registers",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def get_info(self, request: Any, send: Send) -> Any:
        raise RpcFailed("UNIMPLEMENTED", "unknown service pluginregistration.Registration")


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
