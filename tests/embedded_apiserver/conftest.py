"""One embedded API server for all tests of this folder: they keep apart by their objects' names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.api import Api
from conformance.cluster.embedded.apiserver import ApiServer, Store
from conformance.history import History

Object = dict[str, Any]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    server = ApiServer(tmp_path_factory.mktemp("run"), History())
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def api(server: ApiServer) -> Iterator[Api]:
    api = server.api()
    yield api
    api.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ApiServer]:
    """A server that the test may stop, break and refuse with."""
    server = ApiServer(tmp_path, History())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def history() -> History:
    return History()


@pytest.fixture
def store(history: History) -> Store:
    store = Store(history)
    store.create("namespaces", {"metadata": {"name": "default"}})
    return store
