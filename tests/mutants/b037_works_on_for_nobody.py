"""A Prepare that the kubelet gave up is done all the same a second later, whatever was asked for meanwhile."""

import threading
from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "B037"
BREAKS = ("PREP-18",)
CAUGHT_BY = ("preparation.given_up",)


class Dogged(plugin.ClaimHandler):
    def prepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        try:
            return super().prepare(refs, deadline)
        except plugin.OutOfTime:
            threading.Timer(1, super().prepare, (refs, plugin.Deadline())).start()
            raise


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Dogged))


if __name__ == "__main__":
    raise SystemExit(main())
