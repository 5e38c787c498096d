"""Serves health as v1alpha1 only, which is to go away."""

from reference_driver import gpu, plugin

FAULT = "S86"
BREAKS = ("HLT-07",)
CAUGHT_BY = ("health.reports",)


class Monitor(plugin.HealthMonitor):
    def __init__(self, driver: plugin.Driver) -> None:
        super().__init__(driver)
        self._offered = self._offered[1:]


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
