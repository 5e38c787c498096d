"""The fixture `life`: one pod's life that several checks look at, in a namespace that stays until the last of them."""

from collections.abc import Iterator

import pytest

from conformance.checks.life import Life
from conformance.cluster import Cluster, Installation, Shared
from conformance.session.namespace import CleanUp, namespace_name
from conformance.session.runtest import TRIAL
from conformance.session.state import BENCH, ENDING

_PATIENCE = 15.0  # seconds; that a pod does not go has been judged by then


@pytest.fixture(scope="session")
def _lives(pytestconfig: pytest.Config) -> Iterator[list[Life]]:
    lives: list[Life] = []
    yield lives
    if not pytestconfig.stash.get(ENDING, False):
        for life in lives:
            clean_up = CleanUp(_PATIENCE)
            clean_up.pods(life.cluster)
            clean_up.rest(life.cluster)


@pytest.fixture
def life(request: pytest.FixtureRequest, driver: Installation, _lives: list[Life]) -> Life:
    """The pod, and all that comes after it; made when the first check asks for it."""
    trial = request.node.stash[TRIAL]
    backend = request.config.stash[BENCH].backend()
    if not _lives:
        name = namespace_name(f"life-of-{driver.target.driver_name}", 1)
        if isinstance(backend, Shared):
            name = backend.own_name(name)
        backend.api.create("namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        _lives.append(Life(Cluster(backend, driver.target, name, request.path.parent)))
    trial.cluster = _lives[0].cluster
    return _lives[0]
