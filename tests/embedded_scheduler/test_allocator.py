"""Problems for the allocator, as tables: what is asked for, what is there, and which devices are chosen."""

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.cluster.embedded.scheduler.allocator import allocate
from conformance.cluster.embedded.scheduler.model import Allocated, AllocationError, UnsuitableNode
from conformance.cluster.embedded.scheduler.pools import Pools
from tests.embedded_scheduler.objects import (
    Obj,
    allocated_claim,
    cel,
    claim,
    classes,
    device,
    device_class,
    devices,
    node,
    pool_slice,
    request,
    result,
    sub,
)

TWO = [pool_slice("s", devices("a", "b"))]


def solve(
    claims: Sequence[Obj], slices: Sequence[Obj], held: Sequence[Obj] = (), known: Any = None
) -> list[dict[str, Any]] | None:
    return allocate(claims, node(), Pools(slices), known or classes(), Allocated.of(held))


def chosen(*claims: Obj, slices: Sequence[Obj], held: Sequence[Obj] = (), known: Any = None) -> list[str] | None:
    """Each device as request=device, over all claims; None when there is no solution."""
    found = solve(claims, slices, held, known)
    if found is None:
        return None
    return [f"{row['request']}={row['device']}" for item in found for row in item["devices"]["results"]]


def kinds(**models: str) -> list[Obj]:
    return [device(name, attributes={"model": {"string": model}}) for name, model in models.items()]


def selecting(model: str) -> list[Obj]:
    return [cel(f'device.attributes["gpu.example.com"].model == "{model}"')]


@pytest.mark.parametrize(
    ("requests", "held", "answer"),
    [
        ([request()], [], ["gpu=a"]),
        ([request()], [result("a")], ["gpu=b"]),
        ([request(count=2)], [], ["gpu=a", "gpu=b"]),
        ([request(count=2)], [result("a")], None),
        ([request(count=3)], [], None),
        ([request("one"), request("two")], [], ["one=a", "two=b"]),
        ([request()], [result("a", pool="node-b")], ["gpu=a"]),
        ([request()], [result("a", adminAccess=True)], ["gpu=a"]),
        ([request(allocationMode="All")], [], ["gpu=a", "gpu=b"]),
        ([request(allocationMode="All")], [result("b")], None),
        ([request(adminAccess=True)], [result("a")], ["gpu=a"]),
        ([request("x", adminAccess=True), request("y", adminAccess=True)], [result("a")], ["x=a", "y=b"]),
    ],
)
def test_counts(requests: list[Obj], held: list[Obj], answer: list[str] | None) -> None:
    assert chosen(claim(*requests), slices=TWO, held=[allocated_claim(*held)]) == answer


def test_two_claims_share_out_the_devices() -> None:
    assert chosen(claim(name="x"), claim(name="y"), slices=TWO) == ["gpu=a", "gpu=b"]
    assert chosen(claim(name="x"), claim(name="y"), claim(name="z"), slices=TWO) is None


def test_admin_access_is_written_only_when_it_was_asked_for() -> None:
    (with_admin,) = solve([claim(request(adminAccess=True))], TWO) or []
    (without,) = solve([claim(request(adminAccess=False))], TWO) or []
    assert with_admin["devices"]["results"][0]["adminAccess"] is True
    assert "adminAccess" not in without["devices"]["results"][0]


def test_class_and_request_select_together() -> None:
    slices = [pool_slice("s", kinds(a="small", b="big", c="big"))]
    big = classes(device_class("gpu", 'device.attributes["gpu.example.com"].model == "big"'))
    assert chosen(claim(), slices=slices, known=big) == ["gpu=b"]
    assert chosen(claim(request(selectors=selecting("small"))), slices=slices, known=big) is None


def test_a_first_choice_is_taken_back_when_the_rest_would_not_fit() -> None:
    slices = [pool_slice("s", kinds(a="big", b="small"))]
    picky = request("picky", selectors=selecting("big"))
    assert chosen(claim(request("any"), picky), slices=slices) == ["any=b", "picky=a"]


NUMA = [
    device("a", attributes={"numa": {"int": 0}, "card": {"string": "1"}}),
    device("b", attributes={"gpu.example.com/numa": {"int": 1}, "card": {"string": "1"}}),
    device("c", attributes={"numa": {"int": 1}, "card": {"string": "2"}}),
    device("d", attributes={"numa": {"string": "1"}}),
]


@pytest.mark.parametrize(
    ("count", "constraint", "answer"),
    [
        (2, {"matchAttribute": "gpu.example.com/numa"}, ["gpu=b", "gpu=c"]),
        (3, {"matchAttribute": "gpu.example.com/numa"}, None),
        (2, {"matchAttribute": "other.example.com/numa"}, None),
        (2, {"matchAttribute": "gpu.example.com/numa", "requests": ["other"]}, ["gpu=a", "gpu=b"]),
        (2, {"distinctAttribute": "gpu.example.com/card"}, ["gpu=a", "gpu=c"]),
        (3, {"distinctAttribute": "gpu.example.com/card"}, None),
        (3, {"distinctAttribute": "gpu.example.com/numa"}, ["gpu=a", "gpu=b", "gpu=d"]),
    ],
)
def test_constraints(count: int, constraint: Obj, answer: list[str] | None) -> None:
    problem = claim(request(count=count), constraints=[constraint])
    assert chosen(problem, slices=[pool_slice("s", NUMA)]) == answer


def test_all_devices_that_break_a_constraint_are_an_error() -> None:
    problem = claim(request(allocationMode="All"), constraints=[{"matchAttribute": "gpu.example.com/numa"}])
    text = "claim ns/c, request gpu: cannot add device gpu.example.com/node-a/b because a claim constraint would not"
    with pytest.raises(AllocationError, match=text):
        solve([problem], [pool_slice("s", NUMA)])


def test_the_first_alternative_that_fits() -> None:
    slices = [pool_slice("s", kinds(a="small", b="small"))]
    wanted = {
        "name": "gpu",
        "firstAvailable": [sub("big", selectors=selecting("big")), sub("pair", count=2), sub("one")],
    }
    assert chosen(claim(wanted), slices=slices) == ["gpu/pair=a", "gpu/pair=b"]
    assert chosen(claim(wanted), slices=slices, held=[allocated_claim(result("a"))]) == ["gpu/one=b"]
    assert chosen(claim(request("first"), wanted), slices=slices) == ["first=a", "gpu/one=b"]


def test_constraints_name_alternatives() -> None:
    wanted = {"name": "gpu", "firstAvailable": [sub("three", count=3), sub("two", count=2)]}
    constraint = {"matchAttribute": "gpu.example.com/numa", "requests": ["gpu/two"]}
    slices = [pool_slice("s", NUMA[:3])]
    assert chosen(claim(wanted, constraints=[constraint]), slices=slices) == [f"gpu/three={d}" for d in "abc"]
    busy = allocated_claim(result("a"))
    assert chosen(claim(wanted, constraints=[constraint]), slices=slices, held=[busy]) == ["gpu/two=b", "gpu/two=c"]


TAINT = {"key": "gpu.example.com/sick", "value": "yes", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("taint", "toleration", "fits"),
    [
        (TAINT, None, False),
        ({**TAINT, "effect": "NoExecute"}, None, False),
        ({**TAINT, "effect": "None"}, None, True),
        (TAINT, {"operator": "Exists"}, True),
        (TAINT, {"key": "gpu.example.com/sick", "operator": "Exists", "effect": "NoSchedule"}, True),
        (TAINT, {"key": "gpu.example.com/sick", "operator": "Exists", "effect": "NoExecute"}, False),
        (TAINT, {"key": "gpu.example.com/sick", "operator": "Equal", "value": "yes"}, True),
        (TAINT, {"key": "gpu.example.com/sick", "operator": "Equal", "value": "no"}, False),
    ],
)
def test_taints(taint: Obj, toleration: Obj | None, fits: bool) -> None:
    slices = [pool_slice("s", [device("a", taints=[taint])])]
    tolerations: Any = {"tolerations": [toleration]} if toleration else {}
    found = solve([claim(request(**tolerations))], slices)
    assert (found is not None) == fits
    if found and toleration:
        assert found[0]["devices"]["results"][0]["tolerations"] == [toleration]


def test_admin_access_does_not_pass_a_taint() -> None:
    assert solve([claim(request(adminAccess=True))], [pool_slice("s", [device("a", taints=[TAINT])])]) is None


def test_an_incomplete_pool_gives_nothing_and_blocks_all() -> None:
    part = pool_slice("a", devices("x"), driver="other.example.com", pool="half", count=2)
    whole = pool_slice("b", devices("y"))
    assert chosen(claim(), slices=[part, whole]) == ["gpu=y"]
    text = (
        "claim ns/c, request gpu: asks for all devices, but resource pool other.example.com/half "
        "is currently being updated"
    )
    with pytest.raises(AllocationError) as error:
        solve([claim(request(allocationMode="All"))], [part, whole])
    assert str(error.value) == text


def test_an_invalid_pool_gives_nothing_and_says_so_in_the_end() -> None:
    twice = [pool_slice(name, devices("x"), pool="bad", count=2) for name in ("1", "2")]
    assert chosen(claim(), slices=[*twice, *TWO]) == ["gpu=a"]
    with pytest.raises(UnsuitableNode, match="invalid resource pools were encountered"):
        solve([claim()], twice)
    with pytest.raises(AllocationError, match=r"resource pool gpu.example.com/bad is currently invalid"):
        solve([claim(request(allocationMode="All"))], twice)


def test_a_selector_that_fails_is_noticed_only_when_it_is_asked() -> None:
    slices = [pool_slice("s", [*kinds(a="big"), device("b")])]
    picky = claim(request(selectors=selecting("big")))
    assert chosen(picky, slices=slices) == ["gpu=a"]
    with pytest.raises(AllocationError) as error:
        solve([picky], slices, held=[allocated_claim(result("a"))])
    start = (
        "claim ns/c: selector #0 on device gpu.example.com/node-a/b: CEL runtime error: no such key: model. consider"
    )
    assert str(error.value).startswith(start)


def test_a_failing_selector_of_the_class_names_the_class() -> None:
    known = classes(device_class("gpu", "true", 'device.attributes["gpu.example.com"].x == 1'))
    with pytest.raises(
        AllocationError, match=r"class gpu: selector #1 on device gpu.example.com/node-a/a: CEL runtime"
    ):
        solve([claim()], TWO, known=known)


def test_no_claim_has_more_than_32_results() -> None:
    many = [pool_slice("s", devices(*(f"d{n:02}" for n in range(40))))]
    assert len(chosen(claim(request(count=32)), slices=many) or ()) == 32
    text = "claim ns/c, request b: adding 20 devices exceeds the claim limit of 32, with 20 already accounted for"
    with pytest.raises(AllocationError, match=text):
        solve([claim(request("a", count=20), request("b", count=20))], many)
    fewer = {"name": "b", "firstAvailable": [sub("many", count=20), sub("few", count=2)]}
    found = chosen(claim(request("a", count=20), fewer), slices=many) or []
    assert [row.split("=")[0] for row in found[20:]] == ["b/few"] * 2


def test_devices_for_other_nodes_of_the_same_slice() -> None:
    given = [device("x", nodeName="node-b"), device("y", nodeName="node-a"), device("z", allNodes=True)]
    slices = [pool_slice("s", given, perDeviceNodeSelection=True)]
    assert chosen(claim(request(count=2)), slices=slices) == ["gpu=y", "gpu=z"]


def test_a_long_search_ends() -> None:
    many = [pool_slice("s", devices(*(f"d{n:02}" for n in range(30))))]
    impossible = claim(request("a", count=12), request("b", count=19))
    with pytest.raises(TimeoutError):
        allocate([impossible], node(), Pools(many), classes(), Allocated(), timeout=0.05)
