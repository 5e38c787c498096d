"""What contradicts itself under one generation, and what does not."""

from typing import Any

from conformance.checks.publishing.generations import mixed
from conformance.history import Event


def event(name: str, devices: str, *, generation: int = 1, count: int = 2, kind: str = "ADDED") -> Event:
    """A write of a slice with one device for each letter."""
    pool = {"name": "pool", "generation": generation, "resourceSliceCount": count}
    spec: dict[str, Any] = {"nodeName": "a", "pool": pool, "devices": [{"name": letter} for letter in devices]}
    return Event(0, 0.0, "api", {"type": kind, "object": {"metadata": {"name": name}, "spec": spec}})


def test_one_slice_says_nothing() -> None:
    assert not mixed([event("one", "a", count=1), event("one", "b", count=1)]).several


def test_a_device_that_moves_between_slices_of_a_generation() -> None:
    found = mixed([event("one", "ab"), event("two", "cd"), event("one", "ac")])
    assert found.several
    assert found.texts == ["pool pool, generation 1: device c in two slices that have other devices beside it"]


def test_a_slice_more_under_the_same_generation() -> None:
    found = mixed([event("one", "ab"), event("two", "cd"), event("three", "e", count=3)])
    assert found.texts == ["pool pool, generation 1: slices that state 2 and 3 slices"]


def test_a_new_generation_for_all() -> None:
    old, new = (
        [event("one", "ab"), event("two", "cd")],
        [event("one", "ac", generation=2), event("two", "d", generation=2)],
    )
    assert mixed([*old, *new]).texts == []


def test_a_change_of_one_slice_may_keep_it() -> None:
    assert mixed([event("one", "ab"), event("two", "cd"), event("two", "ce")]).texts == []


def test_a_slice_that_was_written_twice() -> None:
    assert mixed([event("one", "ab", count=1), event("again", "ab", count=1)]).texts == []


def test_a_slice_that_is_deleted_first() -> None:
    assert (
        mixed(
            [event("one", "ab"), event("two", "c"), event("two", "c", kind="DELETED"), event("one", "abc", count=1)]
        ).texts
        == []
    )
