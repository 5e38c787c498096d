"""Its next version goes on with the pool of the first slice that it finds, which may be that of another node."""

import sys
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S09"
CAUGHT_BY = ("upgrade.across_nodes",)
BREAKS = ("RS-05",)
EXTRA = {"nextVersionArguments": ["--next"]}


class Slices(plugin.SliceController):
    def _pause(self, seconds: float) -> None:
        """The instance before this one, while it lives, puts right what this one does: never fall behind."""


class Next(plugin.Plugin):
    def publish(self) -> None:
        path = self.client.resource_path("resourceslices")
        items = self.client.list(path, fieldSelector=f"spec.driver={self.driver.name}")["items"]
        (pool,) = self.driver.pools().values()
        self.slices.publish({items[0]["spec"]["pool"]["name"]: pool})


def main() -> int:
    arguments: list[Any] = [argument for argument in sys.argv[1:] if argument != "--next"]
    if "--next" in sys.argv:
        return gpu.main(arguments, plugin=Next, parts=plugin.Parts(slices=Slices))
    return gpu.main(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
