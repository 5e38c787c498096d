"""Cleans up after its start by a list of claims that is older than what it removes by it."""

import threading

from reference_driver import gpu, plugin

FAULT = "M55"
CAUGHT_BY = ("restart.prepared_at_once",)
LOOKING = 0.5  # seconds that it takes to find out which claims there are


def clean_up(handler: plugin.ClaimHandler, stop: threading.Event) -> None:
    known = [record.uid for record in handler.checkpoint.records()]
    stop.wait(LOOKING)
    for path in handler.cdi.leftovers(known):
        path.unlink(missing_ok=True)


def main() -> int:
    return gpu.main(parts=plugin.Parts(reclaim=clean_up))


if __name__ == "__main__":
    raise SystemExit(main())
