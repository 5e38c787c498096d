"""Writes a slice again at once when the API server has stored it without some of its fields."""

from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin import backoff

FAULT = "S65"
BASE = "reference-extras"
BREAKS = ("RS-23",)
CAUGHT_BY = ("publishing.dropped_fields",)


class Planner(plugin.Planner):
    def note_stored(self, sent: dict[str, Any], stored: dict[str, Any]) -> bool:
        changed = super().note_stored(sent, stored)
        self._kept.clear()
        return changed


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(arguments[1], arguments[2])

    def _note(self, sent: dict[str, Any], stored: dict[str, Any]) -> None:
        super()._note(sent, stored)
        if not self.planner.same(sent["spec"], stored["spec"]):
            self._touch()


def main() -> int:
    backoff.Fuse.note = lambda self: 0.0  # type: ignore[method-assign]
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
