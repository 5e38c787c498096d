"""Answers with an error for the whole call when a claim cannot be read, as Kubernetes' helper for Go does."""

from typing import Any

import grpc

from reference_driver import gpu, plugin


class Servicer(plugin.DraServicer):
    def NodePrepareResources(self, request: Any, context: Any) -> Any:
        for claim in request.claims:
            try:
                self._handler.reader.read(plugin.ClaimRef(claim.namespace, claim.name, claim.uid))
            except plugin.ClaimError as error:
                context.abort(grpc.StatusCode.UNKNOWN, f"get resource claims: {error}")
        return super().NodePrepareResources(request, context)


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
