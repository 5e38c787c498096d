"""Fails the whole call, with all its claims, when the configuration of one claim is bad."""

from typing import Any

import grpc

from reference_driver import gpu, plugin

FAULT = "M41"
CAUGHT_BY = ("preparation.bad_beside_good",)
BREAKS = ("PREP-03",)


class Servicer(plugin.DraServicer):
    def _call(self, method: str, work: Any, request: Any, context: Any) -> Any:
        answers = super()._call(method, work, request, context)
        for answer in answers.values():
            if "config" in answer.error.lower():
                context.abort(grpc.StatusCode.INVALID_ARGUMENT, answer.error)
        return answers


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
