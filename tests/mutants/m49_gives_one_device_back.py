"""Gives only the first device of a claim back, so that the others stay taken."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "M49"
BREAKS = ("UNP-10",)
CAUGHT_BY = ("preparation.several_devices",)


class Handler(plugin.ClaimHandler):
    def discard(self, record: plugin.ClaimRecord) -> None:
        super().discard(record)
        if len(record.devices) > 1:
            self.checkpoint.save(replace(record, devices=record.devices[1:]))


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
