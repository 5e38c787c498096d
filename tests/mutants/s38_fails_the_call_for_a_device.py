"""Ends the whole call with an error when a device of its one claim is missing."""

from typing import Any

import grpc

from reference_driver import gpu, plugin

FAULT = "S38"
CAUGHT_BY = ("preparation.missing_device",)
BREAKS = ("PREP-04",)


class Servicer(plugin.DraServicer):
    def _call(self, method: str, work: Any, request: Any, context: Any) -> Any:
        answers = super()._call(method, work, request, context)
        for answer in answers.values():
            if "does not exist on node" in answer.error:
                context.abort(grpc.StatusCode.INTERNAL, answer.error)
        return answers


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
