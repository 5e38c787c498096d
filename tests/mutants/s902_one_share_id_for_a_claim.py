"""Answers with the id of a claim's first share for all of its shares."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "S902"
CAUGHT_BY = ("shares.distinct",)
BREAKS = ("PREP-27",)
BASE = "reference-extras"


class Handler(plugin.ClaimHandler):
    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        answer = super()._prepare(claim)
        return replace(
            answer, devices=tuple(replace(row, share_id=answer.devices[0].share_id) for row in answer.devices)
        )


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
