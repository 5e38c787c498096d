"""Garbage collection by owner references and by what a deleter asks for."""

from collections.abc import Iterator

import pytest

from conformance.cluster.wait import wait_for
from tests.embedded_scheduler.control_plane import ControlPlane, control_plane
from tests.embedded_scheduler.objects import Obj


@pytest.fixture
def plane() -> Iterator[ControlPlane]:
    with control_plane() as plane:
        yield plane


def owned(plane: ControlPlane, name: str, *owners: Obj, block: bool = False) -> Obj:
    references = [
        {
            "apiVersion": owner["apiVersion"],
            "kind": owner["kind"],
            "name": owner["metadata"]["name"],
            "uid": owner["metadata"]["uid"],
            "blockOwnerDeletion": block,
        }
        for owner in owners
    ]
    metadata = {"name": name, "ownerReferences": references}
    return plane.store.create("configmaps", {"metadata": metadata}, "default")


def config(plane: ControlPlane, name: str) -> Obj:
    return plane.store.create("configmaps", {"metadata": {"name": name}}, "default")


def hold(plane: ControlPlane, name: str, *finalizers: str) -> None:
    plane.store.modify("configmaps", name, "default", lambda obj: obj["metadata"].update(finalizers=list(finalizers)))


def owners_of(plane: ControlPlane, name: str) -> list[str]:
    return [row["name"] for row in plane.get("configmaps", name)["metadata"].get("ownerReferences") or ()]


def settled(plane: ControlPlane) -> None:
    """Until now, the controllers have seen everything: they work off changes in order."""
    owned(plane, "last", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "nobody", "uid": "none"}})
    assert plane.gone("configmaps", "last")


def test_dependents_go_after_their_owner(plane: ControlPlane) -> None:
    owned(plane, "dependent", config(plane, "owner"))
    plane.store.delete("configmaps", "owner", "default")
    assert plane.gone("configmaps", "dependent")


def test_an_owner_waits_for_what_blocks_its_deletion(plane: ControlPlane) -> None:
    owner = config(plane, "owner")
    owned(plane, "blocking", owner, block=True)
    owned(plane, "other", owner)
    hold(plane, "blocking", "example.com/hold")
    plane.store.delete("configmaps", "owner", "default", propagation="Foreground")
    assert plane.gone("configmaps", "other")
    wait_for(lambda: plane.get("configmaps", "blocking")["metadata"].get("deletionTimestamp"), "deletion", timeout=3)
    assert plane.store.exists("configmaps", "owner", "default")
    hold(plane, "blocking")
    assert plane.gone("configmaps", "owner")


def test_a_chain_goes_from_its_end(plane: ControlPlane) -> None:
    second = owned(plane, "second", config(plane, "first"), block=True)
    owned(plane, "third", second, block=True)
    plane.store.delete("configmaps", "first", "default", propagation="Foreground")
    assert plane.gone("configmaps", "first")
    assert not plane.store.exists("configmaps", "third", "default")


def test_orphans_stay_without_owner(plane: ControlPlane) -> None:
    owned(plane, "dependent", config(plane, "owner"))
    plane.store.delete("configmaps", "owner", "default", propagation="Orphan")
    assert plane.gone("configmaps", "owner")
    assert owners_of(plane, "dependent") == []


def test_what_has_another_owner_stays_with_it(plane: ControlPlane) -> None:
    owned(plane, "shared", config(plane, "one"), config(plane, "two"))
    plane.store.delete("configmaps", "one", "default")
    wait_for(lambda: owners_of(plane, "shared") == ["two"], "the other owner alone", timeout=3)


def test_an_owner_of_an_unknown_kind_is_left_alone(plane: ControlPlane) -> None:
    meta = {"name": "x", "uid": "11111111-2222-3333-4444-555555555555"}
    owned(plane, "dependent", {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": meta})
    owned(plane, "marker", {**config(plane, "gone"), "metadata": {"name": "gone", "uid": meta["uid"]}})
    assert plane.gone("configmaps", "marker")
    assert plane.store.exists("configmaps", "dependent", "default")


def test_an_owner_does_not_wait_for_what_has_another_one(plane: ControlPlane) -> None:
    owned(plane, "shared", config(plane, "one"), config(plane, "two"), block=True)
    plane.store.delete("configmaps", "one", "default", propagation="Foreground")
    assert plane.gone("configmaps", "one")
    assert owners_of(plane, "shared") == ["two"]


def test_a_circle_of_owners_goes(plane: ControlPlane) -> None:
    one = config(plane, "one")
    two = owned(plane, "two", one, block=True)
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "two", "uid": two["metadata"]["uid"]}
    references = [{**reference, "blockOwnerDeletion": True}]
    plane.store.modify("configmaps", "one", "default", lambda obj: obj["metadata"].update(ownerReferences=references))
    settled(plane)
    plane.store.delete("configmaps", "one", "default", propagation="Foreground")
    assert plane.gone("configmaps", "one")
    assert plane.gone("configmaps", "two")


def test_a_dependent_with_dependents_is_held_once(plane: ControlPlane) -> None:
    second = owned(plane, "second", config(plane, "first"), block=True)
    owned(plane, "third", second, block=True)
    hold(plane, "third", "example.com/hold")
    settled(plane)
    plane.store.delete("configmaps", "first", "default", propagation="Foreground")
    wait_for(lambda: plane.get("configmaps", "third")["metadata"].get("deletionTimestamp"), "deletion", timeout=3)
    assert plane.get("configmaps", "second")["metadata"]["finalizers"] == ["foregroundDeletion"]
