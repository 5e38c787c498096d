"""One cluster of somebody's for all tests here; each puts on it what driver it needs."""

from collections.abc import Iterator

import pytest

from conformance.cluster.binaries import Binaries
from tests.kep5970.somebody import Somebody, somebody


@pytest.fixture(scope="session")
def cluster(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Somebody]:
    """A real control plane, without a driver."""
    with somebody(binaries, tmp_path_factory.mktemp("somebody")) as made:
        yield made
