"""A real cluster for tests that need one: made once, only where it was asked for."""

import os
from collections.abc import Iterator

import pytest

from conformance.cluster.kind import KindBackend, KindSettings
from conformance.cluster.kind.backend import KUBERNETES_VERSION
from conformance.cluster.kind.engine import check_engine
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.programs import provide
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target
from conformance.verdict import Inconclusive


@pytest.fixture(scope="session")
def _run() -> Iterator[RunDir]:
    run = RunDir.create()
    yield run
    run.close()


@pytest.fixture(scope="session")
def backend(_run: RunDir) -> Iterator[KindBackend]:
    """A cluster; skipped where none was asked for, or where it cannot be made unless it must be."""
    if os.environ.get("DRA_KIND") != "1":
        pytest.skip("tests on a real cluster run with DRA_KIND=1, as `make kind` does")
    made = KindBackend(
        _run.path,
        History(),
        log_dir=_run.path / "logs",
        settings=KindSettings(),
        binaries=lambda: provide(None, KUBERNETES_VERSION, _run.path / "bin", str),
    )
    try:
        check_engine()
    except Inconclusive as reason:
        pytest.skip(str(reason))
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def installation(backend: KindBackend) -> PodInstallation:
    """The reference driver on it, ready."""
    made = backend.install(Target.load("reference"))
    made.start()
    made.wait_ready()
    return made
