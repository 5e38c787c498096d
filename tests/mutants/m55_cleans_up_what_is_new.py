"""Removes after its start what is left of claims that were unprepared before, although they may be prepared anew."""

import threading
from pathlib import Path

from reference_driver import gpu, plugin
from reference_driver.plugin import recovery

FAULT = "M55"
CAUGHT_BY = ("restart.prepared_at_once",)
BREAKS = ("CDI-06",)
LOOKING = 1.0  # seconds that it takes to find out what is left


def notes(handler: plugin.ClaimHandler) -> Path:
    """File with the UIDs of the claims that were unprepared."""
    return handler.checkpoint._folder / "unprepared"


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        with notes(self).open("a", encoding="utf-8") as file:
            file.write(f"{ref.uid}\n")
        return super()._unprepare(ref)


def clean_up(handler: plugin.ClaimHandler, stop: threading.Event) -> None:
    file = notes(handler)
    unprepared = file.read_text(encoding="utf-8").split() if file.exists() else []
    stop.wait(LOOKING)
    for uid in unprepared:
        handler.cdi.remove(uid)
    recovery.reclaim(handler, stop)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler, reclaim=clean_up))


if __name__ == "__main__":
    raise SystemExit(main())
