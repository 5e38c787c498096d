"""Is one of two drivers that one installation brings, both in one process."""

import argparse
import sys
import threading
from typing import Any

from fakegpu import default_inventory
from reference_driver import gpu, plugin

OTHER = "aaa.example.com"
EXTRA = {
    "drivers": [
        {"name": "gpu.example.com", "features": ["rolling-update", "health", "taints", "device-status", "metadata"]},
        {"name": OTHER},
    ]
}


class Both(plugin.Plugin):
    """The plugin of the first driver, with that of the second beside it."""

    def __init__(self, driver: plugin.Driver, options: plugin.Options, parts: plugin.Parts | None = None) -> None:
        super().__init__(driver, options, parts)
        parser = argparse.ArgumentParser()
        plugin.add_arguments(parser, OTHER)
        other = plugin.from_arguments(parser.parse_known_args()[0])
        gpus = default_inventory(other.node_name, 8)
        self.other = plugin.Plugin(gpu.GpuDriver(OTHER, other.node_name, gpus), other, plugin.Parts())

    def start(self) -> None:
        self.other.start()
        super().start()

    def stop(self) -> None:
        ending = threading.Thread(target=self.other.stop)
        ending.start()
        super().stop()
        ending.join()


def main() -> int:
    arguments: list[Any] = sys.argv[1:]
    return gpu.main(arguments, plugin=Both)


if __name__ == "__main__":
    raise SystemExit(main())
