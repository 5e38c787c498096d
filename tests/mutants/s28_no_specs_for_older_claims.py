"""Prepares claims that are older than its process without CDI specs."""

from reference_driver import gpu, plugin
from tests.mutants.s20_knows_new_claims_only import Reader

FAULT = "S28"
CAUGHT_BY = ("restart.pending_claim", "restart.reboot", "restart.recovers")
BREAKS = ("CDI-06", "PREP-08")


class Handler(plugin.ClaimHandler):
    reader: Reader

    def make_real(self, record: plugin.ClaimRecord) -> None:
        super().make_real(record)
        if record.uid in self.reader.older:
            self.cdi.remove(record.uid)


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader, handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
