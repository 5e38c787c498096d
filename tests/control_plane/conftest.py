"""A real control plane for tests. Its programs are found, or built once with Go, which takes about ten minutes.

Without either the tests are skipped, or fail where DRA_REQUIRE_GO=1 is in the environment.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.binaries import Binaries
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.history import History
from conformance.session.rundir import RunDir


@pytest.fixture(scope="module")
def backend(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlaneBackend]:
    """One cluster for the tests of a module, with nothing installed."""
    run, logs = RunDir.create(), tmp_path_factory.mktemp("logs")
    backend = ControlPlaneBackend(run.path, History(), binaries=lambda: binaries, log_dir=logs)
    started = time.monotonic()
    backend.start()
    sys.stderr.write(f"control plane ready after {time.monotonic() - started:.1f} s\n")
    yield backend
    backend.stop()
    run.close()


def processes_of(folder: Path) -> list[str]:
    """Names of the living processes that have the folder on their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            argv = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(str(folder) in word for word in argv[1:]):
            found.append(Path(argv[0]).name)
    return sorted(found)
