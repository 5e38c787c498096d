"""Publishes two pools of several slices, with devices of the same names; soon after its start each has two less."""

import threading
from collections.abc import Mapping

from reference_driver import gpu, plugin
from reference_driver.plugin import pools

EXTRA: dict[str, object] = {"container": {}}
NOT_APPLICABLE = ("allocation.selected_device", "injection.container_sees")
LOST = ("gpu-1", "gpu-4")  # of two slices
SOON = 0.5  # seconds


class Losing(plugin.Plugin):
    def start(self) -> None:
        super().start()
        timer = threading.Timer(SOON, self.lose)
        timer.daemon = True
        timer.start()

    def lose(self) -> None:
        assert isinstance(self.driver, gpu.GpuDriver)
        self.driver.gpus = [each for each in self.driver.gpus if each.name not in LOST]
        self.publish()


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        (pool,) = super().pools().values()
        return {f"{self.node}/{name}": pool for name in ("left", "right")}

    def check(self, claim: plugin.Claim) -> None:
        there = {each.name for each in self.gpus} | {*LOST}  # who has it keeps it
        for device in claim.devices:
            if device.pool not in self.pools() or device.device not in there:
                raise plugin.ClaimError(f"there is no device {device.device} in pool {device.pool}")


def main() -> int:
    pools.MAX_DEVICES = pools.MAX_DEVICES_WITH_EXTRAS = 3
    return gpu.main(driver=Driver, plugin=Losing)


if __name__ == "__main__":
    raise SystemExit(main())
