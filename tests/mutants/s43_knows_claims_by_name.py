"""Takes a claim for one that it has prepared when it has the same name."""

from reference_driver import gpu, plugin

FAULT = "S43"
CAUGHT_BY = ("preparation.same_name",)
BREAKS = ("PREP-32",)


class Handler(plugin.ClaimHandler):
    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        for record in self.checkpoint.records():
            if str(record.ref) == str(claim.ref) and record.uid != claim.uid:
                return plugin.Answer(record.devices)
        return super()._prepare(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
