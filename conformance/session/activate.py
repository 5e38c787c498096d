"""Turning the plugin on: a driver was given, so everything is checked now, before any worker starts."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from conformance.session.options import read_settings
from conformance.session.state import FOLDER, REPORT_DIR, SETTINGS, TARGET, WORKER, is_distributed, is_worker


def activate(config: pytest.Config, driver: str) -> None:
    """Check the options, take the report's folder, and register the hooks of this process's part.

    Raises pytest.UsageError.
    """
    from conformance.session import collection, control, fixtures, judge, progress, reportdir, runtest, signals
    from conformance.target import Target, TargetError

    settings = read_settings(config, driver)
    try:
        target = config.stash[TARGET] = Target.load(driver)
        if not is_worker(config) and not config.option.collectonly:
            target.build(lambda line: sys.stderr.write(f"{line}\n"))
    except TargetError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[SETTINGS] = settings
    modules: list[ModuleType] = [collection, fixtures]
    if is_worker(config):
        given = config.workerinput  # type: ignore[attr-defined]
        config.stash[FOLDER] = Path(given["dra_conformance"]["folder"])
        config.stash[WORKER] = given["workerid"]
    else:
        config.stash[WORKER] = ""
        if not config.option.collectonly:
            config.stash[REPORT_DIR] = reportdir.ReportDir.claim(settings.report_dir)
            config.stash[FOLDER] = config.stash[REPORT_DIR].path
        modules += [control, progress]
    if not is_distributed(config):
        modules += [runtest, judge]
    for module in modules:
        config.pluginmanager.register(module, module.__name__)
    if not is_worker(config):
        config.pluginmanager.register(control.ResultsIn(config))
    signals.watch(config)


def deactivate(config: pytest.Config) -> None:
    """Let go of what `activate` took."""
    from conformance.session import signals

    signals.unwatch(config)
    if REPORT_DIR in config.stash:
        config.stash[REPORT_DIR].close()
