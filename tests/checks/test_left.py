"""Slices that are left of a deleted node: kept by something else, or merely not collected yet."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.checks.restart.left import slices_kept
from conformance.cluster import Cluster, Node
from conformance.verdict import WaitTimeout

NODE = cast(Node, SimpleNamespace(name="node-b"))


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_DELETED", "_COLLECTED"):
        monkeypatch.setattr(f"conformance.checks.restart.left.{limit}", 0.02)


def kept(*owners: str, **more: Any) -> list[str]:
    references = [{"kind": "Node", "name": "node-b", "uid": uid} for uid in owners]
    slices = [{"metadata": {"name": "s", "ownerReferences": references, **more}}]
    return slices_kept(cast(Cluster, SimpleNamespace(slices_of=lambda _node: slices)), NODE, "uid-b")


def test_nothing_left_is_right() -> None:
    assert slices_kept(cast(Cluster, SimpleNamespace(slices_of=lambda _node: [])), NODE, "uid-b") == []


@pytest.mark.parametrize("owners", [(), ("uid-other",), ("uid-b", "uid-other")])
def test_slices_that_the_node_does_not_own_alone_stay(owners: tuple[str, ...]) -> None:
    assert kept(*owners) == ["s"]


def test_a_finalizer_keeps_a_slice() -> None:
    assert kept("uid-b", finalizers=["example.com/mine"]) == ["s"]


def test_a_slice_that_only_the_node_owned_waits_for_the_cluster() -> None:
    with pytest.raises(WaitTimeout, match=r"s$"):
        kept("uid-b")
