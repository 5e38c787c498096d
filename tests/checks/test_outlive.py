"""Slices that are deleted when instances end, by drivers that do so at no other time and by those that do."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.checks.upgrade.outlive import judge_outlives, published
from conformance.cluster import Cluster
from conformance.expect import Expect
from conformance.history import History
from conformance.verdict import Broken

DRIVER = "gpu.example.com"


class Store:
    """The slice of a node, which can be replaced and deleted; `cluster` shows its history."""

    def __init__(self) -> None:
        self.history = History()
        target = SimpleNamespace(driver_name=DRIVER, ready_within=1)
        self.cluster = cast(Cluster, SimpleNamespace(history=self.history, target=target))
        self.slices: list[dict[str, Any]] = []
        self.made = 0

    def create(self, generation: int = 1) -> None:
        self.made += 1
        metadata = {"name": f"s{self.made}", "uid": f"uid-{self.made}"}
        pool = {"name": "node-a", "generation": generation}
        self.slices.append({"metadata": metadata, "spec": {"driver": DRIVER, "nodeName": "node-a", "pool": pool}})
        self.history.record("api", type="ADDED", resource="resourceslices", object=self.slices[-1])

    def delete(self, place: int = -1) -> None:
        self.history.record("api", type="DELETED", resource="resourceslices", object=self.slices.pop(place))

    def replace(self) -> None:
        self.delete()
        self.create()

    def list(self) -> list[dict[str, Any]]:
        return list(self.slices)


@pytest.fixture
def store() -> Store:
    store = Store()
    store.create()
    return store


@pytest.fixture
def expect() -> Expect:
    return Expect(("UPG-04",))


def test_slices_that_stay_are_right(store: Store, expect: Expect) -> None:
    before = published(store.cluster, store.list, 0)
    judge_outlives(store.cluster, before, store.list, expect)
    assert [finding.holds for finding in expect.findings] == [True, True]


def test_a_deletion_at_the_end_alone_is_wrong_even_where_it_is_made_good(store: Store, expect: Expect) -> None:
    before = published(store.cluster, store.list, 0)
    store.replace()
    with pytest.raises(Broken, match="s1"):
        judge_outlives(store.cluster, before, store.list, expect)


def test_slices_of_an_older_generation_may_go_at_any_time(store: Store, expect: Expect) -> None:
    before = published(store.cluster, store.list, 0)
    store.create(generation=2)
    store.delete(0)
    judge_outlives(store.cluster, before, store.list, expect)
    assert [finding.holds for finding in expect.findings] == [True, True]


def test_a_driver_that_replaces_slices_at_other_times_may_do_so_at_the_end(store: Store, expect: Expect) -> None:
    store.replace()
    before = published(store.cluster, store.list, 0)
    store.replace()
    judge_outlives(store.cluster, before, store.list, expect)
    assert all(finding.holds for finding in expect.findings)


def test_what_was_replaced_before_is_no_habit(store: Store, expect: Expect) -> None:
    store.replace()
    before = published(store.cluster, store.list, len(store.history))
    store.replace()
    with pytest.raises(Broken, match="s2"):
        judge_outlives(store.cluster, before, store.list, expect)


def test_slices_have_to_come_back(store: Store, expect: Expect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.checks.upgrade.outlive.time_to_return", lambda _target: 0.02)
    store.replace()
    before = published(store.cluster, store.list, 0)
    store.delete()
    with pytest.raises(Broken, match="node-a"):
        judge_outlives(store.cluster, before, store.list, expect)
