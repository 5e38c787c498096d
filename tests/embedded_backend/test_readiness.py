"""What counts as ready: pools that are complete, registrations of the node itself."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.cluster.local.readiness import incomplete_pools, unready
from conformance.history import History
from conformance.target import Target


def part(pool: str, generation: int, count: int) -> dict[str, Any]:
    return {"spec": {"pool": {"name": pool, "generation": generation, "resourceSliceCount": count}}}


@pytest.mark.parametrize(
    ("slices", "missing"),
    [
        ([part("a", 1, 1)], []),
        ([part("a", 1, 2), part("a", 1, 2), part("b", 7, 1)], []),
        ([part("a", 1, 2)], ["pool a has 1 of 2 slices of generation 1"]),
        ([part("a", 1, 1), part("a", 2, 2)], ["pool a has 1 of 2 slices of generation 2"]),
        ([part("a", 1, 9), part("a", 2, 1)], []),
        (
            [part("b", 1, 2), part("a", 1, 1), part("a", 1, 1)],
            ["pool a has 2 of 1 slices of generation 1", "pool b has 1 of"],
        ),
    ],
)
def test_only_the_newest_generation_counts(slices: list[dict[str, Any]], missing: list[str]) -> None:
    found = incomplete_pools(slices)
    assert len(found) == len(missing)
    assert all(text.startswith(want) for text, want in zip(found, missing, strict=True))


class OneOfTwoNodes:
    name = "a"
    sees_calls = True

    def __init__(self, folder: Path) -> None:
        self.registry_dir = folder

    def registrations(self, driver: str) -> list[str]:
        return [driver]


class Published:
    def list(self, *_: Any, **__: Any) -> dict[str, Any]:
        item = part("a", 1, 1)
        item["spec"]["nodeName"] = "a"
        return {"items": [item]}


def test_only_registrations_of_the_node_itself_count(tmp_path: Path) -> None:
    target, history = Target.load("reference"), History()
    node: Any = OneOfTwoNodes(tmp_path)
    api: Any = Published()

    def tell(node: str, action: str, details: str = "") -> None:
        history.record("kubelet", node=node, action=action, driver=target.driver_name, details=details)

    tell("b", "registered")
    assert f"no registration socket appeared in {tmp_path}" in unready(target, node, api, history, 0)
    tell("a", "registered")
    assert unready(target, node, api, history, 0) == ""
    tell("b", "registered")
    assert unready(target, node, api, history, 2) != ""


def test_where_calls_are_not_seen_a_driver_that_answers_counts(tmp_path: Path) -> None:
    target, history = Target.load("reference"), History()
    node: Any = OneOfTwoNodes(tmp_path)
    api: Any = Published()
    node.sees_calls = False
    assert unready(target, node, api, history, 0) == ""
    node.registrations = lambda _: []
    assert "is not registered" in unready(target, node, api, history, 0)


def test_what_the_api_server_refused_is_told_where_no_slice_is(tmp_path: Path) -> None:
    target, history = Target.load("reference"), History()
    node: Any = OneOfTwoNodes(tmp_path)
    node.sees_calls = False
    api: Any = SimpleNamespace(list=lambda *_, **__: {"items": []})
    assert unready(target, node, api, history, 0).endswith("has published no ResourceSlice for node a")
    message = 'nodes "a" is forbidden: User "driver" cannot get resource "nodes"'
    history.record("request", verb="get", resource="nodes", code=403, message=message)
    assert unready(target, node, api, history, 0).endswith(f"for node a; the API server has refused: {message}")
    assert unready(target, node, api, history, 1).endswith("has published no ResourceSlice for node a")
