"""Names, in answers for claims with several requests, one more request that no claim has."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S46"
CAUGHT_BY = ("preparation.every_answer",)
ALSO = {
    "extended.resource": "its claim has a request for each resource",
}
BREAKS = ("PREP-11",)


class Servicer(plugin.DraServicer):
    def prepared(self, answer: plugin.Answer) -> Any:
        entry = super().prepared(answer)
        if len({name for device in answer.devices for name in device.requests}) > 1:
            for device in entry.devices:
                device.request_names.append("everything")
        return entry


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
