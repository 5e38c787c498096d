"""Fails to unprepare a claim that it has failed to prepare."""

from reference_driver import gpu, plugin

FAULT = "S18"
CAUGHT_BY = ("preparation.failed_write", "preparation.invalid_config", "preparation.missing_device")
BREAKS = ("UNP-06", "PREP-19")


class Handler(plugin.ClaimHandler):
    failed: frozenset[str] = frozenset()

    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        self.failed |= {claim.uid}
        answer = super()._prepare(claim)
        self.failed -= {claim.uid}
        return answer

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        if ref.uid in self.failed:
            raise plugin.ClaimError(f"claim {ref} is not prepared")
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
