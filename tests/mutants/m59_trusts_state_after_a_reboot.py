"""Takes what was prepared before a reboot for prepared, as it never looks whether the node was started anew."""

from reference_driver import gpu, plugin

FAULT = "M59"
BREAKS = ("PREP-08",)
CAUGHT_BY = ("restart.reboot",)


class Handler(plugin.ClaimHandler):
    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        record = self.checkpoint.get(claim.uid)
        if record and record.state == "prepared" and record.matches(claim.devices):
            return plugin.Answer(record.devices)
        return super()._prepare(claim)

    def make_real(self, record: plugin.ClaimRecord) -> None:
        if record.boot_id == self.boot_id:
            super().make_real(record)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
