"""Answers a call without claims, which no kubelet makes, with INVALID_ARGUMENT."""

from typing import Any

import grpc

from reference_driver import gpu, plugin


class Servicer(plugin.DraServicer):
    def _call(self, method: str, work: Any, request: Any, context: Any) -> Any:
        if not request.claims:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no claims")
        return super()._call(method, work, request, context)


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
