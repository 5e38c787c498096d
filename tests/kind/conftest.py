"""A real cluster for tests that need one: made once, only where it was asked for."""

import os
from collections.abc import Iterator

import pytest

from conformance.cluster.kind import KindBackend, KindSettings, make_backend
from conformance.cluster.kind.installation import PodInstallation
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target


@pytest.fixture(scope="package")
def _run() -> Iterator[RunDir]:
    run = RunDir.create()
    yield run
    run.close()


@pytest.fixture(scope="package")
def backend(_run: RunDir) -> Iterator[KindBackend]:
    """A cluster; skipped where none was asked for, and never where one was."""
    if os.environ.get("DRA_KIND") != "1":
        pytest.skip("tests on a real cluster run with DRA_KIND=1, as `make test-kind` does")
    made = make_backend(KindSettings(), None, _run.path, History(), _run.path / "logs")
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="package")
def installation(backend: KindBackend) -> PodInstallation:
    """The reference driver on it, ready."""
    made = backend.install(Target.load("reference"))
    made.start()
    made.wait_ready()
    return made
