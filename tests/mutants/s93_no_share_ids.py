"""Answers without the ids of shares."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S93"
CAUGHT_BY = ("shares.two_claims",)
BREAKS = ("PREP-27",)
BASE = "reference-extras"


class Servicer(plugin.DraServicer):
    def prepared(self, answer: plugin.Answer) -> Any:
        entry = super().prepared(answer)
        for device in entry.devices:
            if "share_id" in device.DESCRIPTOR.fields_by_name:
                device.ClearField("share_id")
        return entry


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
