"""Gives only the first device of a claim back when it unprepares it, and the others long after."""

import threading
from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "M49"
BREAKS = ("UNP-10",)
CAUGHT_BY = ("preparation.several_devices",)
LATER = 12.0  # seconds; not for ever, so that other checks have devices


class Handler(plugin.ClaimHandler):
    def discard(self, record: plugin.ClaimRecord) -> None:
        super().discard(record)
        if len(record.devices) > 1:
            left = replace(record, devices=record.devices[1:])
            self.checkpoint.save(left)
            timer = threading.Timer(LATER, self.release, [left])
            timer.daemon = True
            timer.start()

    def release(self, left: plugin.ClaimRecord) -> None:
        with self.lock.hold(plugin.Deadline(), self.checkpoint.reload):
            super().discard(left)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
