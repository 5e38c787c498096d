"""Looks for a minute whether it knows the claim that NodeUnprepareResources is for, when it does not."""

import threading
from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S48"
CAUGHT_BY = ("unpreparing.unknown_claim",)
BREAKS = ("UNP-12",)
MINUTE = 60.0


class Handler(plugin.ClaimHandler):
    def unprepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        if not all(self.checkpoint.get(ref.uid) for ref in refs):
            threading.Event().wait(MINUTE)
        return super().unprepare(refs, deadline)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
