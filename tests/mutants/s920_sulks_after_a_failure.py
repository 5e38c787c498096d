"""After its first Unprepare that failed it refuses the claim that comes next, however often it is asked for it."""

from reference_driver import gpu, plugin

FAULT = "S920"
BREAKS = ("RS-13",)
CAUGHT_BY = ("preparation.in_vain",)
ALSO = {"preparation.missing_device": "it waits for the pod of that claim in vain"}


class Sulking(plugin.ClaimHandler):
    failed = False
    refused = ""
    known: frozenset[str] = frozenset()

    def discard(self, record: plugin.ClaimRecord) -> None:
        try:
            super().discard(record)
        except OSError:
            self.failed = True
            raise

    def check_free(self, claim: plugin.Claim) -> None:
        if self.failed and not self.refused and claim.uid not in self.known:
            self.refused = claim.uid
        self.known |= {claim.uid}
        if claim.uid == self.refused:
            raise plugin.ClaimError(f"claim {claim.ref} comes at the wrong moment")
        super().check_free(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Sulking))


if __name__ == "__main__":
    raise SystemExit(main())
