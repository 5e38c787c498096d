"""Gives up when slices could not be written at the first try, and serves as if they were there."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "M11"
BREAKS = ("RS-07",)
CAUGHT_BY = ("publishing.refused_write",)


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.tried = self.gave_up = False

    def _sync(self) -> bool:
        first, self.tried = not self.tried, True
        try:
            if not self.gave_up:
                return super()._sync()
        except plugin.KubeError:
            if not first:
                raise
            self.gave_up = True
        self._done = self._asked
        return False


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
