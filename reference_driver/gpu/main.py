"""The command line of the GPU driver."""

import argparse
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from fakegpu import Gpu, InventoryError, default_inventory, load_inventory, watch_file
from reference_driver.plugin import Options, Parts, Plugin, PluginError, add_arguments, from_arguments, log

from .driver import DRIVER_NAME, GpuDriver


def main(
    arguments: Sequence[str] | None = None,
    *,
    driver: Callable[[str, str, Sequence[Gpu]], GpuDriver] = GpuDriver,
    parts: Parts | None = None,
) -> int:
    """Run the driver until it is told to end; the exit status.

    `driver` and `parts` replace pieces of it; `reference_driver.plugin` says which there are.
    """
    parser = argparse.ArgumentParser(prog="reference_driver.gpu", description="A DRA driver for made-up GPUs.")
    add_arguments(parser, DRIVER_NAME)
    parser.add_argument("--num-devices", type=int, default=8, help="how many GPUs there are (%(default)s)")
    parser.add_argument("--inventory", type=Path, help="YAML file that says which GPUs there are; changes are followed")
    parsed = parser.parse_args(arguments)
    log.configure()
    try:
        return _run(from_arguments(parsed), parsed.inventory, parsed.num_devices, driver, parts)
    except (PluginError, InventoryError, OSError) as error:
        log.warning("the driver cannot run", error=str(error))
        return 1


def _run(
    options: Options,
    inventory: Path | None,
    count: int,
    driver: Callable[[str, str, Sequence[Gpu]], GpuDriver],
    parts: Parts | None,
) -> int:
    node = options.node_name
    gpus = load_inventory(inventory, node) if inventory else default_inventory(node, count)
    gpu_driver = driver(options.driver_name, node, gpus)
    plugin = Plugin(gpu_driver, options, parts)
    if inventory:
        _follow(inventory, gpu_driver, plugin)
    return plugin.run()


def _follow(inventory: Path, driver: GpuDriver, plugin: Plugin) -> None:
    """Publish what the inventory file says whenever it changes; a faulty file changes nothing."""

    def reload() -> None:
        try:
            driver.gpus = load_inventory(inventory, driver.node)
            plugin.publish()
            log.info("inventory changed", gpus=len(driver.gpus))
        except (InventoryError, PluginError) as error:
            log.warning("inventory not taken over", error=str(error))

    threading.Thread(target=watch_file, args=(inventory, reload, plugin.ended), daemon=True).start()
