"""It advertises v1beta1.DRAPlugin, but serves v1 only."""

from typing import Any

from conformance.cluster.kubelet.rpc import RpcFailed
from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B008"
BREAKS = ("REG-11",)
CAUGHT_BY = ("registration.advertised_services",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def get_info(self, request: Any, send: Send) -> Any:
        info = send(request)
        if "v1beta1.DRAPlugin" not in info.supported_versions:
            info.supported_versions.append("v1beta1.DRAPlugin")
        return info

    def prepare(self, request: Any, send: Send) -> Any:
        return self._v1_only(request, send)

    def unprepare(self, request: Any, send: Send) -> Any:
        return self._v1_only(request, send)

    def _v1_only(self, request: Any, send: Send) -> Any:
        if "v1beta1" in request.DESCRIPTOR.full_name:
            raise RpcFailed("UNIMPLEMENTED", "unknown service k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin")
        return send(request)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
