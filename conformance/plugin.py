"""The pytest plugin of the conformance suite. Without `--driver` it leaves every run as it is."""

import gc
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.session import hookspecs, options
from conformance.session.state import SETTINGS, TARGET, TROUBLE, check_of, is_worker

if TYPE_CHECKING:
    from conformance.cluster import Backend
    from conformance.history import History

_USAGE = "dra_conformance_usage"
"""Key of a worker's output under which it says what is wrong with the command line."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Offer hooks of our own."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add options at once where a conftest.py brought this plugin in: all other plugins are there by then."""
    if any(name.endswith("conftest.py") for name, _ in pluginmanager.list_name_plugin()):
        options.add_options(parser)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, object, object]:
    """Else add them once every other plugin and conftest.py has added its own."""
    result = yield
    options.add_options(parser)
    if _is_ours(early_config):
        options.refuse_misspelt(parser.parse_known_and_unknown_args(args)[1])
    return result


def _is_ours(config: pytest.Config) -> bool:
    """Whether this is `dra-conformance run`, rather than some project's pytest, whose arguments are its own matter."""
    return config.inipath == Path(options.__file__).with_name("run.ini")


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """A whole run of `dra-conformance run` has two workers where nothing speaks against it; pytest-xdist looks next."""
    driver = options.driver_given(config) if _is_ours(config) else None
    if driver is not None:
        from conformance.session import workers

        gc.disable()  # in workers, too: see launch.py
        workers.choose(config, driver)
    return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Turn the suite on when a driver is given."""
    driver = options.driver_given(config)
    if driver is None and _is_ours(config):
        options.refuse_bare_file(config.args)
    if driver is not None:
        from conformance.session.activate import activate

        activate(config, driver)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of everything."""
    if SETTINGS in config.stash:
        from conformance.session.activate import deactivate

        deactivate(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Checks cannot run without a driver. Raises pytest.UsageError."""
    if SETTINGS in config.stash or config.option.collectonly:
        return
    check = next((check for item in items if (check := check_of(item))), None)
    if check is None:
        return
    message = f"{check.id} is a conformance check and needs a driver: give --driver=NAME or --driver=FILE"
    if not is_worker(config):
        raise pytest.UsageError(message)
    # Raised in a worker it would end as "no tests collected"; the controller raises it instead.
    items.clear()
    config.workeroutput[_USAGE] = message  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Raise the pytest.UsageError that a worker ran into."""
    message = (getattr(node, "workeroutput", None) or {}).get(_USAGE)
    if message:
        raise pytest.UsageError(message)


@pytest.hookimpl(trylast=True)
def pytest_dra_backend(
    config: pytest.Config, kind: str, run_dir: Path, history: "History", log_dir: Path
) -> "Backend | None":
    """The clusters that ship."""
    from conformance.verdict import Inconclusive

    if TROUBLE in config.stash:
        raise Inconclusive(config.stash[TROUBLE])
    if kind == "embedded":
        from conformance.cluster.embedded import EmbeddedBackend

        return EmbeddedBackend(run_dir, history, log_dir=log_dir)
    if kind == "control-plane":
        from conformance.cluster.binaries import Wanted, provide
        from conformance.cluster.control_plane import ControlPlaneBackend

        settings = config.stash[SETTINGS]
        wanted = Wanted(settings.kubernetes_binaries, settings.kubernetes_version)
        return ControlPlaneBackend(run_dir, history, binaries=lambda: provide(wanted, str), log_dir=log_dir)
    if kind == "kind":
        from conformance.cluster.kind import make_backend as make_kind
        from conformance.session.kinds import kind_settings, say

        asked = config.stash[SETTINGS]
        tell = partial(say, config)
        return make_kind(kind_settings(asked), asked.kubernetes_binaries, run_dir, history, log_dir, tell)
    if kind == "existing":
        from conformance.cluster.existing import ExistingSettings, make_backend

        given = config.stash[SETTINGS]
        image, prefix = given.node_image, given.registry_prefix
        by_api = bool(given.driver_name)
        existing = ExistingSettings.of(given.kubeconfig, given.nodes, image, prefix, by_api=by_api)
        return make_backend(run_dir, history, target=config.stash[TARGET], settings=existing)
    return None
