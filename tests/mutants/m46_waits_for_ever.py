"""Waits for the API server as long as that takes, whether or not somebody still waits for it, and lets nobody by."""

from collections.abc import Sequence
from contextlib import suppress

from reference_driver import gpu, plugin

FAULT = "M46"
CAUGHT_BY = ("preparation.given_up",)
BREAKS = ("PREP-17",)
EVER = 600.0  # seconds


class Handler(plugin.ClaimHandler):
    def prepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        with self.lock.hold(plugin.Deadline(), self.checkpoint.reload), suppress(plugin.ClaimError):
            for ref in refs:
                self.reader.read(ref, EVER)
        return super().prepare(refs, plugin.Deadline())


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
