"""Which of several nodes a pod gets."""

from typing import Any

import pytest

from conformance.cluster.embedded.scheduler.podresources import Usage
from conformance.cluster.embedded.scheduler.scoring import Feasible, best
from tests.embedded_scheduler.objects import Obj, claim, node, sub

LARGE = {"cpu": "8", "memory": "16Gi"}
SMALL = {"cpu": "1", "memory": "2Gi"}


def with_room(name: str, has: Obj, **spec: Any) -> Obj:
    return {**node(name, zone=name), "spec": spec, "status": {"allocatable": has}}


def pod(**spec: Any) -> Obj:
    return {"metadata": {"name": "p", "namespace": "ns"}, "spec": {"containers": [{"name": "c"}], **spec}}


def chosen(pod_: Obj, *nodes: Obj, got: tuple[str, ...] = (), used: tuple[Obj, ...] = ()) -> str:
    """`got`: the alternative that the pod's claim would get on each node."""
    wanted = claim({"name": "r", "firstAvailable": [sub("first"), sub("second"), sub("third")]})
    allocations = [[(wanted, {"devices": {"results": [{"request": f"r/{name}"}]}})] for name in got]
    feasible = [Feasible(each, allocations[at] if got else []) for at, each in enumerate(nodes)]
    return str(nodes[best(pod_, feasible, Usage(used))]["metadata"]["name"])


def test_the_node_with_most_room() -> None:
    small, large = with_room("small", SMALL), with_room("large", LARGE)
    assert chosen(pod(), small, large) == "large"
    guests = tuple(pod(nodeName="large") for _ in range(20))
    assert chosen(pod(), small, large, used=guests) == "small"


def test_the_first_of_equal_nodes() -> None:
    assert chosen(pod(), with_room("a", SMALL), with_room("b", SMALL)) == "a"


def test_earlier_alternatives_count_more_than_room() -> None:
    small, large = with_room("small", SMALL), with_room("large", LARGE)
    assert chosen(pod(), small, large, got=("first", "third")) == "small"
    assert chosen(pod(), small, large, got=("first", "first")) == "large"


@pytest.mark.parametrize(
    ("tolerations", "answer"),
    [
        ([], "small"),
        ([{"key": "k", "operator": "Exists"}], "large"),
        ([{"key": "k", "operator": "Exists", "effect": "NoSchedule"}], "small"),
    ],
)
def test_soft_taints_are_avoided(tolerations: list[Obj], answer: str) -> None:
    tainted = with_room("large", LARGE, taints=[{"key": "k", "effect": "PreferNoSchedule"}])
    assert chosen(pod(tolerations=tolerations), with_room("small", SMALL), tainted) == answer


def test_preferred_nodes() -> None:
    term = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["small"]}]}
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": term}]}
    wish = pod(affinity={"nodeAffinity": preferred})
    assert chosen(wish, with_room("large", LARGE), with_room("small", SMALL)) == "small"
