"""Does not try again when a slice cannot be written."""

from reference_driver import gpu, plugin

FAULT = "M65"
BREAKS = ("RS-13",)
CAUGHT_BY = ("taints.publish_retried",)


class Slices(plugin.SliceController):
    def _sync(self) -> bool:
        try:
            return super()._sync()
        except plugin.KubeError:
            with self._changed:
                self._done = self._asked
            return False


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
