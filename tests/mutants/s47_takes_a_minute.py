"""Takes a minute for each NodePrepareResources."""

import threading
from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S47"
CAUGHT_BY = ("preparation.one_claim",)
BREAKS = ("PREP-17",)
MINUTE = 60.0


class Handler(plugin.ClaimHandler):
    def prepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        threading.Event().wait(MINUTE)
        return super().prepare(refs, deadline)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
