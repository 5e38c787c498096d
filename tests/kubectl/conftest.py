"""The embedded cluster and a real control plane, started once for all tests of this folder."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from conformance.cluster.binaries import Binaries
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.embedded.backend import EmbeddedBackend
from conformance.cluster.kubeconfig import write_kubeconfig
from conformance.history import History
from conformance.session.rundir import RunDir
from tests.kubectl.pair import Kubectl, Pair


@pytest.fixture(scope="package")
def pair(binaries: Binaries, kubectl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """kubectl with both clusters."""
    sides = []
    with ExitStack() as running:
        ours, theirs = RunDir.create(), RunDir.create()
        running.callback(ours.close)
        running.callback(theirs.close)
        backends = (
            EmbeddedBackend(ours.path, History(), log_dir=tmp_path_factory.mktemp("ours")),
            ControlPlaneBackend(
                theirs.path, History(), binaries=lambda: binaries, log_dir=tmp_path_factory.mktemp("theirs")
            ),
        )
        for backend in backends:
            backend.start()
            running.callback(backend.stop)
            home = tmp_path_factory.mktemp(backend.kind)
            path = write_kubeconfig(home / "kubeconfig", backend.administrator, "administrator")
            sides.append(Kubectl(kubectl, path))
        both = Pair(*sides)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda side: side.run("api-resources"), (both.ours, both.theirs)))
        yield both
