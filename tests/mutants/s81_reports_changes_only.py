"""Reports the health of its devices when it changes, and not again before the kubelet forgets it."""

from reference_driver import gpu, plugin

FAULT = "S81"
BREAKS = ("HLT-03",)
CAUGHT_BY = ("health.refreshed",)


class Monitor(plugin.HealthMonitor):
    def __init__(self, driver: plugin.Driver) -> None:
        super().__init__(driver)
        self.refresh, self.timeout = 3600.0, 2


def main() -> int:
    return gpu.main(parts=plugin.Parts(health=Monitor))


if __name__ == "__main__":
    raise SystemExit(main())
