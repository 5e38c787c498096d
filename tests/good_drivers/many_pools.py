"""Publishes two pools of several slices, with devices of the same names."""

from collections.abc import Mapping

from reference_driver import gpu, plugin
from reference_driver.plugin import pools

EXTRA: dict[str, object] = {"container": {}}
NOT_APPLICABLE = ("allocation.selected_device", "injection.container_sees")


class Driver(gpu.GpuDriver):
    def pools(self) -> Mapping[str, plugin.Pool]:
        (pool,) = super().pools().values()
        return {f"{self.node}/{name}": pool for name in ("left", "right")}

    def check(self, claim: plugin.Claim) -> None:
        pass


def main() -> int:
    pools.MAX_DEVICES = 3
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
