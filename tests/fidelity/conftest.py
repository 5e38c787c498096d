"""The two sides, started once for all tests of this folder."""

from collections.abc import Iterator

import pytest

from conformance.cluster.binaries import Binaries
from tests.fidelity.sides import ApiServers, Clusters


@pytest.fixture(scope="package")
def api_servers(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServers]:
    """The embedded API server and a real one."""
    with ApiServers(binaries, tmp_path_factory.mktemp("api-servers")) as servers:
        yield servers


@pytest.fixture(scope="package")
def clusters(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clusters]:
    """The embedded cluster and a real control plane."""
    with Clusters(binaries, tmp_path_factory.mktemp("clusters")) as both:
        yield both
