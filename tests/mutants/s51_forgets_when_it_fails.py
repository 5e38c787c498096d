"""Forgets a claim when it cannot clean up, so that a second Unprepare finds nothing to do."""

from reference_driver import gpu, plugin

FAULT = "S51"
BREAKS = ("UNP-08", "UNP-09", "UNP-07")
CAUGHT_BY = ("unpreparing.cleaning_fails", "unpreparing.batch", "unpreparing.nothing_left")


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        record = self.checkpoint.get(ref.uid)
        try:
            if record:
                self.discard(record)
        except OSError:
            self.checkpoint.delete(ref.uid)
            raise
        return plugin.Answer()


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
