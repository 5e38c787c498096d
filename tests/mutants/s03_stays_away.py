"""Does not publish its slices again after somebody deleted them."""

from reference_driver import gpu, plugin

FAULT = "S03"
CAUGHT_BY = ("publishing.republish",)
BREAKS = ("RS-10",)


class Slices(plugin.SliceController):
    def _watch_once(self, backoff: object) -> None:
        self._changed.acquire()
        try:
            self._changed.wait_for(lambda: self._stopping)
        finally:
            self._changed.release()


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
