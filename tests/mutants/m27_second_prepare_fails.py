"""Refuses to prepare a claim that is prepared."""

from reference_driver import gpu, plugin

FAULT = "M27"
CAUGHT_BY = ("preparation.device_back", "preparation.failed_write", "preparation.repeat_same_devices")
BREAKS = ("PREP-05", "PREP-19", "PREP-33")


class Handler(plugin.ClaimHandler):
    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        if self.checkpoint.get(claim.uid):
            return plugin.Answer(error=f"claim {claim.ref} is prepared already")
        return super()._prepare(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
