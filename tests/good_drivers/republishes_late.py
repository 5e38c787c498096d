"""Notices half a minute later that its slices were deleted, as Kubernetes' helper for Go does."""

import threading
from typing import Any

from reference_driver import gpu, plugin

DELAY = 31.0  # seconds


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.told = False

    def publish(self, pools: Any) -> None:
        self.told = True
        super().publish(pools)
        self.told = False

    def _touch(self) -> None:
        if self.told:  # what is new about its own devices it knows at once
            super()._touch()
            return
        timer = threading.Timer(DELAY, super()._touch)
        timer.daemon = True
        timer.start()


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
