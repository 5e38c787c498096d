"""Reads the claim in Unprepare, and fails where it cannot; what it left goes when another claim gets the device."""

from reference_driver import gpu, plugin

FAULT = "S12"
CAUGHT_BY = ("unpreparing.claim_gone",)
BREAKS = ("UNP-04",)


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        if self.checkpoint.get(ref.uid):
            self.reader.read(ref)
        return super()._unprepare(ref)

    def check_free(self, claim: plugin.Claim) -> None:
        for device in claim.devices:
            for record in list(self.checkpoint.holders((device.pool, device.device))):
                if record.uid != claim.uid and not self.reader.in_use(record.ref):
                    self.discard(record)
        super().check_free(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
