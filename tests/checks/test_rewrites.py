"""Which writes of ResourceSlices count as needless: those after which the pool holds what it held before."""

from typing import Any

from conformance.checks.publishing.rewrites import Rewrite, after_starts, rewrites
from conformance.history import Event


def write(kind: str, name: str, generation: int, *devices: str, count: int = 1) -> Event:
    pool = {"name": "node-a", "generation": generation, "resourceSliceCount": count}
    spec: dict[str, Any] = {"driver": "d.example.com", "pool": pool, "devices": [{"name": d} for d in devices]}
    return Event(0, 0.0, "api", {"type": kind, "object": {"metadata": {"name": name}, "spec": spec}})


def test_a_first_publication_is_no_rewrite() -> None:
    assert rewrites([write("ADDED", "s0", 1, "a"), write("ADDED", "s1", 1, "b")]) == []


def test_the_same_devices_with_a_new_generation_are_a_rewrite() -> None:
    events = [write("ADDED", "s0", 1, "a"), write("MODIFIED", "s0", 2, "a"), write("MODIFIED", "s0", 3, "a")]
    assert len(rewrites(events)) == 2


def test_a_write_that_leaves_the_spec_alone_is_a_rewrite() -> None:
    assert len(rewrites([write("ADDED", "s0", 1, "a"), write("MODIFIED", "s0", 1, "a")])) == 1


def test_a_changed_device_is_no_rewrite() -> None:
    assert rewrites([write("ADDED", "s0", 1, "a"), write("MODIFIED", "s0", 2, "a", "b")]) == []


def test_all_slices_may_be_written_when_one_of_them_changes() -> None:
    events = [
        write("ADDED", "s0", 1, "a", count=2),
        write("ADDED", "s1", 1, "b", count=2),
        write("MODIFIED", "s0", 2, "a", count=2),
        write("MODIFIED", "s1", 2, "b", "c", count=2),
    ]
    assert rewrites(events) == []


def test_publishing_again_after_a_deletion_is_no_rewrite() -> None:
    events = [write("ADDED", "s0", 1, "a"), write("DELETED", "s0", 1, "a"), write("ADDED", "s0", 1, "a")]
    assert rewrites(events) == []


def test_one_rewrite_of_each_pool_after_each_start_is_let_pass() -> None:
    found = [Rewrite(seq, pool, f"{pool} at {seq}") for seq in (2, 3, 12) for pool in ("a", "b")]
    assert after_starts(found, [1, 10]) == ["a at 3", "b at 3"]


def test_a_rewrite_long_after_the_start_is_the_first_all_the_same() -> None:
    assert after_starts([Rewrite(500, "a", "late")], [1]) == []
