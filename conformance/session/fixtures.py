"""Fixtures that checks use: cluster, node, driver, target, expect, history, chance."""

import itertools
from collections.abc import Iterator

import pytest

from conformance.chance import Chance
from conformance.check import Check, Tier
from conformance.cluster import Cluster, Installation, Node, Shared
from conformance.expect import Expect
from conformance.history import History
from conformance.session.bench import Bench
from conformance.session.leaks import claims_of, let_go, record_leaks
from conformance.session.namespace import CleanUp, namespace_name
from conformance.session.runtest import TRIAL
from conformance.session.state import BENCH, ENDING, SETTINGS, TARGET
from conformance.session.trial import Trial
from conformance.target import Target
from conformance.verdict import Unjudged

# These judge by themselves whether the driver comes up: nothing is waited for before them. Those of them that need a
# check of publishing look at a driver that has come up, also when they are run alone.
_BEFORE_READY = ("registration", "publishing")

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def target(pytestconfig: pytest.Config) -> Target:
    """The driver under test, as its driver file describes it."""
    return pytestconfig.stash[TARGET]


@pytest.fixture(scope="session")
def history(pytestconfig: pytest.Config) -> History:
    """Everything that happened in this process of the run."""
    return pytestconfig.stash[BENCH].history


@pytest.fixture
def expect(request: pytest.FixtureRequest) -> Expect:
    """The words in which the check judges the driver."""
    return _trial(request).expect


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Chance:
    """What the check leaves to chance, drawn from the run's seed."""
    return Chance.of(request.config.stash[SETTINGS].seed, _trial(request).check.id)


@pytest.fixture
def node(pytestconfig: pytest.Config) -> Node:
    """The node that the driver runs on."""
    return pytestconfig.stash[BENCH].backend().nodes[0]


@pytest.fixture
def driver(request: pytest.FixtureRequest) -> Iterator[Installation]:
    """The driver: one ready instance; for checks of registration and publishing it may not be ready.

    Those about its start get it just started.
    """
    trial, bench = _trial(request), request.config.stash[BENCH]
    yield _driver(trial.check, bench)
    if trial.check.tier is not Tier.OBSERVE:
        bench.disturbed = True


def _driver(check: Check, bench: Bench) -> Installation:
    if check.area not in _BEFORE_READY or bench.was_ready or bench.disturbed:
        return bench.ready()
    built_on = any(needed.startswith("publishing.") for needed in check.needs)
    return bench.given_time() if built_on else bench.installation()


@pytest.fixture(scope="session")
def _clean_up() -> CleanUp:
    return CleanUp()


@pytest.fixture
def cluster(request: pytest.FixtureRequest, driver: Installation, _clean_up: CleanUp) -> Iterator[Cluster]:
    """The cluster, with a namespace of the check's own; what the check created there is removed afterwards."""
    trial, config = _trial(request), request.config
    backend = config.stash[BENCH].backend()
    name = namespace_name(trial.check.id, next(_numbers))
    if isinstance(backend, Shared):
        name = backend.own_name(name)
    backend.api.create("namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    trial.cluster = Cluster(backend, driver.target, name, request.path.parent)
    yield trial.cluster
    bench = config.stash[BENCH]
    if trial.check.tier is not Tier.OBSERVE:
        bench.disturbed = True
    if not config.stash.get(ENDING, False):
        _revive(bench, _clean_up)
        _remove_all(trial, trial.cluster, _clean_up)


def _revive(bench: Bench, clean_up: CleanUp) -> None:
    """Pods go only when the driver unprepares their claims, so it must live again after a check that killed it."""
    if bench.was_ready:
        try:
            bench.ready()
        except Unjudged:
            clean_up.give_up()


def _remove_all(trial: Trial, cluster: Cluster, clean_up: CleanUp) -> None:
    forced = clean_up.pods(cluster)
    claims = claims_of(cluster.history, cluster.namespace, trial.since)
    done = let_go(cluster, claims, trial.since)
    forced += clean_up.rest(cluster)
    record_leaks(cluster, trial.check.id, done, forced)


def _trial(request: pytest.FixtureRequest) -> Trial:
    trial: Trial | None = request.node.stash.get(TRIAL, None)
    if trial is None:
        raise pytest.UsageError(f"{request.node.nodeid}: fixture {request.fixturename} is for functions marked @check")
    return trial
