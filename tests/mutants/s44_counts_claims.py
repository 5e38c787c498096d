"""Refuses a call that names a claim twice."""

from typing import Any

import grpc

from reference_driver import gpu, plugin

FAULT = "S44"
CAUGHT_BY = ("preparation.batch_in_time",)
BREAKS = ("PREP-31",)


class Servicer(plugin.DraServicer):
    def _call(self, method: str, work: Any, request: Any, context: Any) -> Any:
        if len({claim.uid for claim in request.claims}) < len(request.claims):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "a claim is named twice")
        return super()._call(method, work, request, context)


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
