"""Who took a node's slices, and whether what was there is there again."""

from types import SimpleNamespace
from typing import cast

from conformance.checks.publishing.kept import deleted_from_elsewhere, missing
from conformance.cluster import Cluster, Node
from conformance.history import History

DRIVER = "gpu.example.com"


def cluster(*requests: tuple[str, str, str]) -> Cluster:
    """A slice of node-a, and requests about it: account, node, verb."""
    history = History()
    spec = {"driver": DRIVER, "nodeName": "node-a"}
    history.record("api", type="ADDED", resource="resourceslices", object={"metadata": {"name": "s"}, "spec": spec})
    for user, node, verb in requests:
        history.record("request", user=user, node=node, verb=verb, resource="resourceslices", name="s", code=200)
    return cast(Cluster, SimpleNamespace(history=history, target=SimpleNamespace(driver_name=DRIVER)))


def deleted(*requests: tuple[str, str, str]) -> list[str]:
    return deleted_from_elsewhere(cluster(*requests), cast(Node, SimpleNamespace(name="node-a")), 0)


def test_a_deletion_from_another_node_is_found() -> None:
    assert deleted(("driver", "node-a", "create"), ("driver", "node-b", "delete")) == ["s"]


def test_a_driver_may_delete_what_is_its_own() -> None:
    assert deleted(("driver", "node-a", "create"), ("driver", "node-a", "delete")) == []


def test_a_controller_for_all_nodes_may_run_on_any() -> None:
    assert deleted(("controller", "node-b", "create"), ("controller", "node-b", "delete")) == []


def test_requests_of_unknown_nodes_blame_nobody() -> None:
    assert deleted(("driver", "node-a", "create"), ("driver", "", "delete")) == []


def test_what_comes_back_is_not_missing() -> None:
    seen = iter([{"a"}, set[str](), {"a", "b", "c"}])
    assert missing({"a", "b"}, lambda: next(seen), 5) == []


def test_of_what_stays_away_as_little_as_was_missing_at_once_counts() -> None:
    seen = [set[str](), {"a"}]
    assert missing({"a", "b"}, lambda: seen.pop() if seen else set(), 0.05) == ["b"]
