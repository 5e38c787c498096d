"""Publishes its slices a moment after it has started, and never again."""

import threading
from typing import Any

from reference_driver import gpu, plugin
from tests.mutants.s03_stays_away import Slices as Once

FAULT = "S22"
CAUGHT_BY = ("publishing.republish",)
BREAKS = ("RS-10",)
DELAY = 0.5  # seconds; a kubelet is restarted before they are over


class Slices(Once):
    def publish(self, pools: Any) -> None:
        timer = threading.Timer(DELAY, super().publish, [pools])
        timer.daemon = True
        timer.start()


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
