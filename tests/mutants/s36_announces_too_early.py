"""Serves its registration socket half a second before its DRA socket."""

import threading

from reference_driver import gpu, plugin

FAULT = "S36"
CAUGHT_BY = ("registration.after_kill",)
BREAKS = ("REG-14",)
LATER = 0.5  # seconds


class Service(plugin.DraServer):
    def start(self) -> None:
        self.remove_stale()
        timer = threading.Timer(LATER, super().start)
        timer.daemon = True
        timer.start()


def main() -> int:
    return gpu.main(parts=plugin.Parts(service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
