"""The command line of the GPU driver."""

import argparse
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from fakegpu import Gpu, InventoryError, default_inventory, load_inventory, watch_file
from reference_driver.plugin import Options, Parts, Plugin, PluginError, add_arguments, from_arguments, log, run

from .driver import DRIVER_NAME, GpuDriver


def main(
    arguments: Sequence[str] | None = None,
    *,
    driver: Callable[[str, str, Sequence[Gpu]], GpuDriver] = GpuDriver,
    parts: Parts | None = None,
    plugin: Callable[[GpuDriver, Options, Parts | None], Plugin] = Plugin,
) -> int:
    """Run the driver until it is told to end; the exit status.

    `driver`, `parts` and `plugin` replace pieces of it; `reference_driver.plugin` says which there are.
    """
    parser = argparse.ArgumentParser(prog="reference_driver.gpu", description="A DRA driver for made-up GPUs.")
    add_arguments(parser, DRIVER_NAME)
    parser.add_argument("--num-devices", type=int, default=8, help="how many GPUs there are (%(default)s)")
    parser.add_argument("--inventory", type=Path, help="YAML file that says which GPUs there are; changes are followed")
    parsed = parser.parse_args(arguments)
    options, inventory = from_arguments(parsed), parsed.inventory

    def make() -> Plugin:
        node = options.node_name
        gpus = _load(inventory, node) if inventory else default_inventory(node, parsed.num_devices)
        gpu_driver = driver(options.driver_name, node, gpus)
        made = plugin(gpu_driver, options, parts)
        if inventory:
            _follow(inventory, gpu_driver, made)
        return made

    return run(make)


def _load(inventory: Path, node: str) -> tuple[Gpu, ...]:
    try:
        return load_inventory(inventory, node)
    except InventoryError as error:
        raise PluginError(str(error)) from error


def _follow(inventory: Path, driver: GpuDriver, plugin: Plugin) -> None:
    """Publish what the inventory file says whenever it changes; a faulty file changes nothing."""

    def reload() -> None:
        try:
            driver.gpus = _load(inventory, driver.node)
            plugin.publish()
            log.info("inventory changed", gpus=len(driver.gpus))
        except PluginError as error:
            log.warning("inventory not taken over", error=str(error))

    threading.Thread(target=watch_file, args=(inventory, reload, plugin.ended), daemon=True).start()
