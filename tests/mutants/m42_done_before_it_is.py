"""Notes that a claim is prepared before it has written the CDI spec, and believes its note from then on."""

from dataclasses import replace

from reference_driver import gpu, plugin
from reference_driver.plugin.checkpoint import PREPARED

FAULT = "M42"
CAUGHT_BY = ("preparation.failed_write",)
BREAKS = ("PREP-19",)


class Handler(plugin.ClaimHandler):
    def _prepare_anew(self, claim: plugin.Claim, preparation: plugin.Preparation) -> plugin.ClaimRecord:
        record = replace(self.record(claim, preparation), state=PREPARED)
        self.checkpoint.save(record)
        if record.spec:
            self.cdi.write(record.uid, record.spec)
        return record

    def make_real(self, record: plugin.ClaimRecord) -> None:
        if record.boot_id != self.boot_id:
            super().make_real(record)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
