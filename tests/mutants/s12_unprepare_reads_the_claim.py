"""Reads the claim in Unprepare, and fails where it cannot."""

from reference_driver import gpu, plugin

FAULT = "S12"
CAUGHT_BY = ("unpreparing.claim_gone",)
ALSO = {
    "alternatives.chosen": "devices of claims that are gone stay taken",
    "extended.resource": "devices of claims that are gone stay taken",
}
BREAKS = ("UNP-04",)


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        if self.checkpoint.get(ref.uid):
            self.reader.read(ref)
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
