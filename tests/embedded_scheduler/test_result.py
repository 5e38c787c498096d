from typing import Any

import pytest

from conformance.cluster.embedded.scheduler.allocator import allocate
from conformance.cluster.embedded.scheduler.model import Allocated, AllocationError
from conformance.cluster.embedded.scheduler.pools import Pools
from tests.embedded_scheduler.objects import (
    Obj,
    claim,
    classes,
    device,
    device_class,
    devices,
    node,
    opaque,
    pool_slice,
    request,
    sub,
)


def solve(problem: Obj, *slices: Obj, known: Any = None) -> dict[str, Any]:
    (found,) = allocate([problem], node(zone="z"), Pools(slices), known or classes(), Allocated()) or [{}]
    return found


def test_the_whole_of_an_allocation() -> None:
    assert solve(claim(), pool_slice("s", devices("a"))) == {
        "devices": {"results": [{"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": "a"}]},
        "nodeSelector": {
            "nodeSelectorTerms": [
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]},
            ]
        },
    }


FOUR = pool_slice("s", devices("a", "b", "c", "d"))


def test_class_config_comes_first_and_once_per_class() -> None:
    known = classes(device_class("gpu", config=[opaque(of="gpu")]), device_class("nic", config=[opaque(of="nic")]))
    problem = claim(
        request("one"),
        request("two", cls="nic"),
        request("three"),
        config=[{**opaque(of="claim"), "requests": ["one"]}],
    )
    config = solve(problem, FOUR, known=known)["devices"]["config"]
    assert [(row["source"], row["requests"], row["opaque"]["parameters"]["of"]) for row in config] == [
        ("FromClass", ["one", "three"], "gpu"),
        ("FromClass", ["two"], "nic"),
        ("FromClaim", ["one"], "claim"),
    ]


@pytest.mark.parametrize(
    ("named", "left"),
    [
        (["one", "two/first"], None),
        (["one", "two"], None),
        ([], None),
        (["two/first"], ["two/first"]),
        (["two/other"], "dropped"),
    ],
)
def test_config_for_all_requests_names_none(named: list[str], left: list[str] | str | None) -> None:
    alternatives = {"name": "two", "firstAvailable": [sub("first"), sub("other")]}
    problem = claim(request("one"), alternatives, config=[{**opaque(x=1), "requests": named}])
    config = solve(problem, FOUR)["devices"].get("config", [])
    if left == "dropped":
        assert config == []
    else:
        assert [row.get("requests") for row in config] == [left]


def test_only_the_class_of_the_chosen_alternative_has_a_say() -> None:
    known = classes(device_class("gpu", "false", config=[opaque(x=1)]), device_class("nic", config=[opaque(x=2)]))
    problem = claim({"name": "r", "firstAvailable": [sub("gpu"), sub("nic", cls="nic")]})
    config = solve(problem, FOUR, known=known)["devices"]["config"]
    assert [row["opaque"]["parameters"] for row in config] == [{"x": 2}]


def zone(*values: str) -> Obj:
    return {"key": "zone", "operator": "In", "values": list(values)}


def selecting(*requirements: Obj) -> Obj:
    return {"nodeSelectorTerms": [{"matchExpressions": list(requirements)}]}


def test_node_selectors_of_devices_are_merged() -> None:
    more = {"key": "zone", "operator": "Exists"}
    one = pool_slice("s", devices("a"), pool="1", nodeSelector=selecting(zone("z", "y")))
    two = pool_slice("t", devices("b"), pool="2", nodeSelector=selecting(zone("y", "z"), more))
    assert solve(claim(request(count=2)), one, two)["nodeSelector"] == selecting(zone("z", "y"), more)


def test_devices_for_all_nodes_bind_to_none() -> None:
    assert "nodeSelector" not in solve(claim(), pool_slice("s", devices("a"), allNodes=True))


def test_a_device_may_bind_its_claim_to_the_node() -> None:
    found = solve(claim(), pool_slice("s", [device("a", bindsToNode=True)], allNodes=True))
    assert found["nodeSelector"]["nodeSelectorTerms"][0]["matchFields"][0]["values"] == ["node-a"]


def test_two_terms_cannot_be_merged() -> None:
    terms = {"nodeSelectorTerms": [{"matchExpressions": [zone("z")]}] * 2}
    slices = pool_slice("s", [device("a", nodeSelector=terms)], perDeviceNodeSelection=True)
    with pytest.raises(AllocationError, match=r"unsupported ResourceSlice\.NodeSelector with 2 terms"):
        solve(claim(), slices)


def test_binding_conditions_are_copied() -> None:
    conditions: dict[str, Any] = {"bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
    (row,) = solve(claim(), pool_slice("s", [device("a", **conditions)]))["devices"]["results"]
    assert row.items() >= conditions.items()
