"""Consumable capacity and shared counters."""

from typing import Any

import pytest

from conformance.cluster.embedded.scheduler.allocator import allocate
from conformance.cluster.embedded.scheduler.model import Allocated, AllocationError
from conformance.cluster.embedded.scheduler.pools import Pools
from tests.embedded_scheduler.objects import (
    Obj,
    allocated_claim,
    claim,
    classes,
    device,
    node,
    pool_slice,
    request,
    result,
)


def solve(problems: list[Obj], slices: list[Obj], *held: Obj) -> list[Obj] | None:
    found = allocate(problems, node(), Pools(slices), classes(), Allocated.of(held))
    return None if found is None else [row for item in found for row in item["devices"]["results"]]


def shared(value: str = "10Gi", **policy: Any) -> list[Obj]:
    capacity = {"memory": {"value": value, **({"requestPolicy": policy} if policy else {})}}
    return [pool_slice("s", [device("a", allowMultipleAllocations=True, capacity=capacity)])]


def asking(amount: str, name: str = "c") -> Obj:
    return claim(request(capacity={"requests": {"memory": amount}}), name=name)


STEPS = {"default": "1Gi", "validRange": {"min": "1Gi", "max": "8Gi", "step": "2Gi"}}
VALUES = {"default": "1Gi", "validValues": ["1Gi", "2Gi", "4Gi"]}


@pytest.mark.parametrize(
    ("policy", "amount", "taken"),
    [
        ({}, None, "10Gi"),
        ({}, "3Gi", "3Gi"),
        ({}, "11Gi", None),
        (STEPS, None, "1Gi"),
        (STEPS, "100Mi", "1Gi"),
        (STEPS, "3Gi", "3Gi"),
        (STEPS, "3500Mi", "5Gi"),
        (STEPS, "8Gi", None),
        (VALUES, "3Gi", "4Gi"),
        (VALUES, "5Gi", None),
        ({"default": "1Gi"}, "5Gi", "5Gi"),
    ],
)
def test_what_a_share_takes(policy: Obj, amount: str | None, taken: str | None) -> None:
    found = solve([asking(amount) if amount else claim()], shared(**policy))
    assert (found[0]["consumedCapacity"]["memory"] if found else None) == taken


def test_shares_of_a_device_add_up() -> None:
    held = allocated_claim(result("a", shareID="1", consumedCapacity={"memory": "4Gi"}))
    assert solve([asking("6Gi")], shared(), held)
    assert solve([asking("7Gi")], shared(), held) is None
    assert solve([asking("3Gi", "x"), asking("3Gi", "y")], shared(), held)
    assert solve([asking("3Gi", "x"), asking("4Gi", "y")], shared(), held) is None


def test_each_share_has_an_id_of_its_own() -> None:
    found = solve([asking("1Gi", "x"), asking("1Gi", "y")], shared()) or []
    assert [row["device"] for row in found] == ["a", "a"]
    assert len({row["shareID"] for row in found}) == 2


def test_a_whole_device_has_room_for_what_is_asked_but_no_share() -> None:
    whole = [pool_slice("s", [device("a", capacity={"memory": {"value": "10Gi"}})])]
    (row,) = solve([asking("9Gi")], whole) or [{}]
    assert row.keys() & {"shareID", "consumedCapacity"} == set()
    assert solve([asking("11Gi")], whole) is None
    assert solve([asking("1Gi", "x"), asking("1Gi", "y")], whole) is None


def test_a_device_without_the_capacity_is_passed_over() -> None:
    assert solve([claim(request(capacity={"requests": {"cores": "1"}}))], shared()) is None


def test_an_amount_that_cannot_be_rounded_is_an_error() -> None:
    with pytest.raises(AllocationError, match=r'checking capacity for device .*: capacity "memory": capacity request'):
        solve([asking("1e19")], shared("10", default="1", validRange={"min": "1", "step": "1"}))


def counters(total: str) -> Obj:
    sets = [{"name": "card", "counters": {"memory": {"value": total}}}]
    return pool_slice("1", sharedCounters=sets, count=2)


def part(name: str, memory: str, **fields: Any) -> Obj:
    consumption = {"counterSet": "card", "counters": {"memory": {"value": memory}}}
    return device(name, consumesCounters=[consumption], **fields)


def partitions(*parts: Obj, total: str = "10Gi") -> list[Obj]:
    return [counters(total), pool_slice("2", parts, count=2)]


@pytest.mark.parametrize(
    ("count", "held", "answer"),
    [
        (1, [], ["whole"]),
        (2, [], ["half-1", "half-2"]),
        (3, [], None),
        (1, ["half-1"], ["half-2"]),
        (1, ["whole"], None),
        # A device that is no longer published consumes nothing.
        (1, ["gone"], ["whole"]),
    ],
)
def test_partitions_draw_on_counters(count: int, held: list[str], answer: list[str] | None) -> None:
    slices = partitions(part("whole", "10Gi"), part("half-1", "5Gi"), part("half-2", "5Gi"))
    found = solve([claim(request(count=count))], slices, allocated_claim(*(result(name) for name in held)))
    assert (None if found is None else [row["device"] for row in found]) == answer


def test_partitions_in_use_on_other_nodes_count() -> None:
    slices = [
        pool_slice("1", sharedCounters=[{"name": "card", "counters": {"memory": {"value": "10Gi"}}}], count=3),
        pool_slice("2", [part("here", "6Gi")], count=3),
        pool_slice("3", [part("there", "6Gi")], count=3, nodeName="node-b"),
    ]
    assert solve([claim()], slices)
    assert solve([claim()], slices, allocated_claim(result("there"))) is None


def test_a_further_share_does_not_charge_the_counters_again() -> None:
    capacity = {"memory": {"value": "10Gi", "requestPolicy": {"default": "1Gi"}}}
    slices = partitions(part("a", "8Gi", allowMultipleAllocations=True, capacity=capacity))
    assert solve([claim(name="x"), claim(name="y")], slices)
    held = allocated_claim(result("a", shareID="1", consumedCapacity={"memory": "1Gi"}))
    assert solve([claim()], slices, held)
