"""Which devices lack an attribute that others of their kind have."""

from typing import Any

from conformance.checks.publishing.alike import lacking


def device(name: str, memory: str = "40Gi", **attributes: Any) -> dict[str, Any]:
    typed = {key: {"int" if isinstance(value, int) else "string": value} for key, value in attributes.items()}
    return {"name": name, "attributes": typed, "capacity": {"memory": {"value": memory}}}


def test_devices_that_differ_by_their_numbers_alone_are_of_one_kind() -> None:
    devices = [device(name, uuid=name, model="big") for name in "abcd"]
    assert lacking(devices) == []
    assert lacking([*devices, device("e", uuid="e")]) == ["e lacks model, which a has"]


def test_what_is_else_is_of_another_kind() -> None:
    devices = [device(name, uuid=name, type="gpu", model="big") for name in "abcd"]
    assert lacking([*devices, device("e", uuid="e", type="part")]) == []
    assert lacking([*devices, device("e", uuid="e", type="gpu", memory="10Gi")]) == []
    assert lacking([*devices, device("e", uuid="e", type="gpu") | {"allowMultipleAllocations": True}]) == []
    assert lacking([*devices, device("e", uuid="e", type="gpu", part=1)]) == []


def test_of_few_devices_each_may_be_of_its_own_kind() -> None:
    assert lacking([device("a", type="gpu", model="big"), device("b", type="part")]) == []


def test_a_number_of_its_own_can_be_lacking_too() -> None:
    assert lacking([device("a", uuid="1"), device("b", uuid="2"), device("c")]) == ["c lacks uuid, which a has"]


def test_no_numa_node_is_no_attribute() -> None:
    near = device("a", model="big")
    near["attributes"]["resource.kubernetes.io/numaNode"] = {"int": 0}
    assert lacking([near, device("b", model="big")]) == []
    assert lacking([]) == []
