"""Does not take back what it has written of a claim when its disk is full, and takes that for a claim in use later."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S77"
CAUGHT_BY = ("restart.disk_full", "restart.leftovers")
ALSO = {
    "unpreparing.nothing_left": "what is not taken back is a CDI spec",
}
BREAKS = ("UNP-07", "CDI-09")


class Cdi(plugin.CdiFolder):
    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        return iter(())


class Handler(plugin.ClaimHandler):
    def _prepare_anew(self, claim: plugin.Claim, preparation: plugin.Preparation) -> plugin.ClaimRecord:
        intent = self.record(claim, preparation)
        if intent.spec:
            self.cdi.write(intent.uid, intent.spec)
        return super()._prepare_anew(claim, preparation)

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        return super()._unprepare(ref) if self.checkpoint.get(ref.uid) else plugin.Answer()


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler, cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
