"""Turning the plugin on: a driver was given, so everything is checked now, before any worker starts."""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from conformance.session.options import Settings, read_settings
from conformance.session.state import (
    FOLDER,
    KEPT,
    REPORT_DIR,
    SETTINGS,
    TARGET,
    TROUBLE,
    WORKER,
    is_distributed,
    is_worker,
)

if TYPE_CHECKING:
    from conformance.target import Target


def activate(config: pytest.Config, driver: str) -> None:
    """Check the options, take the report's folder, and register the hooks of this process's part.

    Raises pytest.UsageError.
    """
    try:
        from conformance.session import collection, control, early, headline, progress, reportdir, signals
        from conformance.session.resume import Kept
        from conformance.session.waiving import take
        from conformance.target import TargetError
    except ModuleNotFoundError as error:
        if str(error.name).startswith("conformance"):
            raise
        raise pytest.UsageError(
            f"{sys.executable} lacks the package {error.name}, which the conformance suite needs: in a clone run "
            "`make conformance` once and then the pytest in .venv/bin, elsewhere `pip install /path/to/dra-conformance`"
        ) from None

    settings = read_settings(config, driver)
    try:
        target = config.stash[TARGET] = _target(settings)
    except TargetError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[SETTINGS] = settings
    take(config, settings)
    signals.watch(config)
    modules: list[ModuleType] = [collection]
    if is_worker(config):
        given = config.workerinput  # type: ignore[attr-defined]
        config.stash[FOLDER] = Path(given["dra_conformance"]["folder"])
        config.stash[WORKER] = given["workerid"]
        if settings.resume:
            config.stash[KEPT] = Kept.load(config.stash[FOLDER])
    else:
        config.stash[WORKER] = ""
        if not config.option.collectonly:
            config.stash[REPORT_DIR] = reportdir.ReportDir.claim(settings.report_dir)
            config.stash[FOLDER] = config.stash[REPORT_DIR].path
        modules += [control, progress, *([early] if is_distributed(config) else [])]
    if not is_distributed(config):
        from conformance.session import atend, fixtures, judge, life, runtest

        modules += [fixtures, life, runtest, judge, atend]
    for module in modules:
        config.pluginmanager.register(module, module.__name__)
    if not is_worker(config):
        config.pluginmanager.register(control.ResultsIn(config))
        config.pluginmanager.register(headline.Headline())
        if not config.option.collectonly:
            _provide(config, target, settings)


def _target(settings: Settings) -> "Target":
    """The driver under test. Raises TargetError."""
    from conformance.target import Target, named_target

    if settings.driver_name:
        return named_target(settings.driver_name, settings.device_class)
    return Target.load(settings.driver, process=settings.cluster != "existing")


def _provide(config: pytest.Config, target: "Target", settings: Settings) -> None:
    """See to it that the programs of driver and cluster are there, before anything starts that would wait for them."""
    from conformance.target import TargetError
    from conformance.verdict import Inconclusive

    if settings.cluster == "existing":
        _look_before(target, settings)
        return
    try:
        if settings.cluster == "kind":
            from conformance.cluster.kind import manifests

            manifests.check(target)
        target.build(_say)
        if settings.registry_prefix:
            from conformance.cluster import mirror

            mirror.fetch(target, settings.cluster, settings.registry_prefix, _say)
    except TargetError as error:
        raise pytest.UsageError(str(error)) from None
    except Inconclusive as error:
        config.stash[TROUBLE] = f"the driver's program cannot be had: {error}"
        return
    if settings.cluster == "control-plane":
        _provide_binaries(settings)
    if settings.cluster == "kind":
        from conformance.session import kinds

        kinds.prepare(config, settings)


def _look_before(target: "Target", settings: Settings) -> None:
    """Say what an existing cluster is and what will be done there; see to it that it may be done."""
    from conformance.cluster.existing import ExistingSettings, Unusable, preflight

    try:
        existing = ExistingSettings.of(
            settings.kubeconfig,
            settings.nodes,
            settings.node_image,
            settings.registry_prefix,
            by_api=bool(settings.driver_name),
        )
        preflight(existing, target, _say)
    except Unusable as error:
        raise pytest.UsageError(str(error)) from None


def _provide_binaries(settings: Settings) -> None:
    """Find Kubernetes' programs, or build them."""
    from conformance.cluster.binaries import BinariesError, Wanted, provide

    try:
        provide(Wanted(settings.kubernetes_binaries, settings.kubernetes_version), _say)
    except BinariesError as error:
        raise pytest.UsageError(f"--cluster=control-plane: {error}") from None


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def deactivate(config: pytest.Config) -> None:
    """Let go of what `activate` took."""
    from conformance.session import control, signals

    signals.unwatch(config)
    if REPORT_DIR in config.stash:
        control.release(config)
