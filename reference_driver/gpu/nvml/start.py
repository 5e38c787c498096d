"""Puts the driver for real GPUs together. Imported only where that is what was asked for."""

import argparse
from collections.abc import Callable

from reference_driver.gpu import features
from reference_driver.gpu.driver import GpuDriver
from reference_driver.plugin import Options, Parts, Plugin, log

from . import library, options
from .driver import NvmlDriver
from .monitor import Monitor
from .remembered import Remembered

_PATIENCE = 10.0  # seconds for NVML's first answer; without one the driver serves what it remembers


def make(
    parsed: argparse.Namespace,
    common: Options,
    plugin: Callable[[GpuDriver, Options, Parts | None], Plugin],
    parts: Parts | None,
) -> Plugin:
    """A plugin whose GPUs are looked at already. Raises PluginError, as when there is no NVML library."""
    asked = options.from_arguments(parsed)
    nvml = library.load(asked.library, asked.mounted_root)
    monitor = Monitor(nvml, asked, Remembered(common.data_dir, common.boot_id()))
    driver = NvmlDriver(common.driver_name, common.node_name, monitor, asked)
    driver.switch(features.from_arguments(parsed))
    made = plugin(driver, common, parts)
    monitor.start(made.publish, made.ended, made.fail)
    if not monitor.wait_first(_PATIENCE):
        log.warning("NVML has not answered yet", seconds=_PATIENCE)
    driver.survey()
    return made
