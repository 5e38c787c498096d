"""Never gives back what was prepared for a claim that is gone, as long as nobody asks it to."""

import threading

from reference_driver import gpu, plugin

FAULT = "M62"
BREAKS = ("UNP-13",)
CAUGHT_BY = ("restart.leftovers",)


def keep(handler: plugin.ClaimHandler, stop: threading.Event) -> None:
    pass


def main() -> int:
    return gpu.main(parts=plugin.Parts(reclaim=keep))


if __name__ == "__main__":
    raise SystemExit(main())
