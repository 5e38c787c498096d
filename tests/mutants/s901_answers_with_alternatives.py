"""Answers with the names of alternatives, where the kubelet wants those of requests."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "S901"
CAUGHT_BY = ("alternatives.chosen",)
ALSO = {
    "preparation.every_answer": "the names are those of no request",
}
BREAKS = ("PREP-11",)


class Handler(plugin.ClaimHandler):
    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        answer = super()._prepare(claim)
        names = {(device.pool, device.device): device.request for device in claim.devices}
        return replace(answer, devices=tuple(replace(row, requests=(names[row.key],)) for row in answer.devices))


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
