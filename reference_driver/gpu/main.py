"""The command line of the GPU driver."""

import argparse
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from fakegpu import FLEETS, Gpu, InventoryError, default_inventory, fleet_file, load_inventory, watch_file
from reference_driver.plugin import Options, Parts, Plugin, PluginError, add_arguments, from_arguments, log, run

from . import features
from .driver import DRIVER_NAME, GpuDriver
from .extras import ExtrasDriver
from .nvml import options as nvml_options

INVENTORY = "gpus.yaml"
"""The inventory file in the driver's own folder; `python -m fakegpu` changes it."""
_MADE_UP = {"whole": 8, "extras": 10}
"""Fleets of as many GPUs as one likes, and how many there are by default; fakegpu's are those of real machines."""


def main(
    arguments: Sequence[str] | None = None,
    *,
    driver: Callable[[str, str, Sequence[Gpu]], GpuDriver] | None = None,
    parts: Parts | None = None,
    plugin: Callable[[GpuDriver, Options, Parts | None], Plugin] = Plugin,
) -> int:
    """Run the driver until it is told to end; the exit status.

    `driver`, by default that of the fleet, `parts` and `plugin` replace pieces of it; `reference_driver.plugin` says
    which there are.
    """
    parser = argparse.ArgumentParser(prog="reference_driver.gpu", description="A DRA driver for GPUs, real or made up.")
    add_arguments(parser, DRIVER_NAME)
    fleets = [*_MADE_UP, *FLEETS]
    parser.add_argument("--fleet", choices=fleets, default="whole", help="which GPUs there are (%(default)s)")
    parser.add_argument("--num-devices", type=int, help="how many GPUs there are (8 whole ones, 10 for extras)")
    parser.add_argument(
        "--inventory",
        type=Path,
        help=f"YAML file that says which GPUs there are, by default {INVENTORY} if it is there",
    )
    features.add_arguments(parser)
    words = "made-up ones, of the inventory, or those that NVML tells of (%(default)s)"
    parser.add_argument("--gpus", choices=("made-up", "nvml"), default="made-up", help=words)
    nvml_options.add_arguments(parser)
    parsed = parser.parse_args(arguments)
    if parsed.gpus == "nvml":
        nvml_options.check(parser, parsed)
    _check(parser, parsed)
    options = from_arguments(parsed)
    inventory = parsed.inventory or options.data_dir / INVENTORY

    def make() -> Plugin:
        if parsed.gpus == "nvml":
            from .nvml import start  # only where it is asked for

            return start.make(parsed, options, plugin, parts)
        node = options.node_name
        there = parsed.inventory or inventory.exists()
        gpus = _load(inventory, node) if there else _fleet(parsed.fleet, parsed.num_devices, node)
        of_fleet = ExtrasDriver if parsed.fleet == "extras" else GpuDriver
        gpu_driver = (driver or of_fleet)(options.driver_name, node, gpus)
        gpu_driver.switch(features.from_arguments(parsed))
        made = plugin(gpu_driver, options, parts)
        _follow(inventory, gpu_driver, made)
        return made

    return run(make)


def _check(parser: argparse.ArgumentParser, parsed: argparse.Namespace) -> None:
    """End with a sentence where arguments do not go together."""
    given = features.switched(features.from_arguments(parsed))
    if parsed.fleet == "extras" and given:
        parser.error(f"argument {given[0]}: --fleet=extras has GPUs of each kind already; leave one of the two out")
    if parsed.fleet in FLEETS and parsed.num_devices is not None:
        parser.error(f"argument --num-devices: --fleet={parsed.fleet} has GPUs of its own; leave one of the two out")


def _fleet(name: str, count: int | None, node: str) -> tuple[Gpu, ...]:
    if name in FLEETS:
        return _load(fleet_file(name), node)
    return default_inventory(node, _MADE_UP[name] if count is None else count)


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
