"""ResourceSlices are refused for what the real API server refuses, with its fields and words."""

from typing import Any

import pytest

from conformance.cluster.api import BadRequest, Invalid
from conformance.cluster.embedded.apiserver import Store
from tests.embedded_apiserver.objects import a_slice

ONE_NODE_SELECTION = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
TAINT = {"key": "gpu.example.com/sick", "effect": "NoSchedule"}


def devices(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"name": f"gpu-{index}", **fields} for index in range(count)]


def device(**fields: Any) -> list[dict[str, Any]]:
    return devices(1, **fields)


def policy(**fields: Any) -> list[dict[str, Any]]:
    capacity = {"memory": {"value": "80Gi", "requestPolicy": fields}}
    return device(allowMultipleAllocations=True, capacity=capacity)


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "driver missing": ({"driver": ""}, "spec.driver", "Required value"),
    "driver long": ({"driver": "a" * 64}, "spec.driver", "Too long: may not be more than 63 bytes"),
    "pool name": (
        {"pool": {"name": "A b", "resourceSliceCount": 1}},
        "spec.pool.name",
        "a lowercase RFC 1123 subdomain",
    ),
    "count": ({"pool": {"name": "p"}}, "spec.pool.resourceSliceCount", "Invalid value: 0: must be greater than zero"),
    "no node": ({"nodeName": None}, "spec", f"Required value: {ONE_NODE_SELECTION}"),
    "two nodes": ({"allNodes": True}, "spec", f'"{{`nodeName`, `allNodes`}}": {ONE_NODE_SELECTION}, but multiple'),
    "allNodes false": ({"allNodes": False}, "spec.allNodes", "must be either unset or set to true"),
    "empty node": ({"nodeName": ""}, "spec.nodeName", "must be either unset or set to a non-empty string"),
    "selector terms": (
        {"nodeName": None, "nodeSelector": {"nodeSelectorTerms": [{}, {}]}},
        "spec.nodeSelector.nodeSelectorTerms",
        "must have exactly one node selector term",
    ),
    "counters with devices": (
        {"sharedCounters": [{"name": "c", "counters": {"m": {"value": "1"}}}], "devices": []},
        "spec",
        "only one of `sharedCounters` or `devices` is allowed",
    ),
    "many devices": ({"devices": devices(129)}, "spec.devices", "Too many: 129: must have at most 128 items"),
    "many with taints": ({"devices": devices(65, taints=[TAINT])}, "spec.devices", "must have at most 64 items"),
    "same name": ({"devices": device() + device()}, "spec.devices[1]", 'Duplicate value: "gpu-0"'),
    "device name": ({"devices": [{"name": "GPU_0"}]}, "spec.devices[0].name", "a lowercase RFC 1123 label"),
    "version": (
        {"devices": device(attributes={"v": {"version": "535.104.05.1"}})},
        "spec.devices[0].attributes[v].version",
        'Invalid value: "535.104.05.1": must be a string compatible with semver.org spec 2.0.0',
    ),
    "attribute name": (
        {"devices": device(attributes={"a-b": {"int": 1}})},
        "spec.devices[0].attributes",
        "a valid C identifier must start with alphabetic character or '_'",
    ),
    "no domain": (
        {"devices": device(attributes={"/a": {"int": 1}})},
        "spec.devices[0].attributes",
        "the domain must not be empty",
    ),
    "two values": (
        {"devices": device(attributes={"a": {"int": 1, "bool": True}})},
        "spec.devices[0].attributes[a]",
        "exactly one value must be specified",
    ),
    "long string": (
        {"devices": device(attributes={"a": {"string": "x" * 65}})},
        "spec.devices[0].attributes[a].string",
        "Too long: may not be more than 64 bytes",
    ),
    "many attributes": (
        {"devices": device(attributes={f"a{i}": {"int": i} for i in range(33)})},
        "spec.devices[0]",
        "the total number of attributes and capacities must not exceed 32",
    ),
    "policy": (
        {"devices": device(capacity={"m": {"value": "1", "requestPolicy": {"default": "1"}}})},
        "spec.devices[0].capacity[m].requestPolicy",
        "Forbidden: allowMultipleAllocations must be true",
    ),
    "policy of nothing": (
        {
            "devices": device(
                allowMultipleAllocations=True,
                capacity={"m": {"requestPolicy": {"default": "1", "validValues": ["1"]}}},
            )
        },
        "spec.devices[0].capacity[m].requestPolicy.validValues[0]",
        "option is larger than capacity value: 0",
    ),
    "policy default": (
        {"devices": policy(validRange={"min": "1Gi"})},
        "spec.devices[0].capacity[memory].requestPolicy.default",
        "required when validRange is defined",
    ),
    "policy step": (
        {"devices": policy(default="3Gi", validRange={"min": "1Gi", "step": "4Gi"})},
        "spec.devices[0].capacity[memory].requestPolicy.validRange.step",
        "value is not a multiple of a given step (4Gi) from (1Gi)",
    ),
    "policy values": (
        {"devices": policy(default="3Gi", validValues=["2Gi", "1Gi"])},
        "spec.devices[0].capacity[memory].requestPolicy.validValues[1]",
        "values must be sorted in ascending order",
    ),
    "taint effect": (
        {"devices": device(taints=[{"key": "a", "effect": "Sometimes"}])},
        "spec.devices[0].taints[0].effect",
        'supported values: "NoExecute", "NoSchedule", "None"',
    ),
    "binding": (
        {"devices": device(bindingConditions=["ready"])},
        "spec.devices[0].bindingFailureConditions",
        "bindingFailureConditions are required to use bindingConditions",
    ),
    "device node": (
        {"devices": device(allNodes=True)},
        "spec.devices[0]",
        "can only be set if `perDeviceNodeSelection`",
    ),
    "no device node": (
        {"nodeName": None, "perDeviceNodeSelection": True},
        "spec.devices[0]",
        "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required",
    ),
    "consumed counters": (
        {"devices": device(consumesCounters=[{"counterSet": "c"}])},
        "spec.devices[0].consumesCounters[0].counters",
        "Required value",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_refused(store: Store, case: str) -> None:
    spec, field, text = BAD[case]
    with pytest.raises(Invalid) as refused:
        store.create("resourceslices", a_slice("bad", **spec))
    assert [text in cause["message"] for cause in refused.value.causes if cause["field"] == field].count(True) >= 1
    assert refused.value.message.startswith('ResourceSlice.resource.k8s.io "bad" is invalid: ')


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("spec.driver", {"driver": "other.example.com"}),
        ("spec.nodeName", {"nodeName": "node-b"}),
        ("spec.pool.name", {"pool": {"name": "other", "resourceSliceCount": 1}}),
    ],
)
def test_what_a_slice_is_about_cannot_change(store: Store, field: str, change: dict[str, Any]) -> None:
    store.create("resourceslices", a_slice("s"))
    with pytest.raises(Invalid) as refused:
        store.modify("resourceslices", "s", None, lambda obj: obj["spec"].update(change))
    assert [cause["field"] for cause in refused.value.causes] == [field]
    assert refused.value.causes[0]["message"].endswith("field is immutable")


def test_good_slices_are_stored_as_sent(store: Store) -> None:
    spec: dict[str, Any] = {
        "devices": device(
            attributes={"model": {"string": "A100"}, "vendor.example.com/version": {"version": "1.2.3-rc.1"}},
            capacity={"memory": {"value": "80Gi"}},
            taints=[TAINT],
        )
    }
    created = store.create("resourceslices", a_slice("good", **spec))
    taint = created["spec"]["devices"][0]["taints"][0]
    assert taint.pop("timeAdded")
    assert created["spec"] == a_slice(**spec)["spec"]


def test_fields_behind_a_closed_gate_and_unknown_ones_are_dropped(store: Store) -> None:
    created = store.create("resourceslices", a_slice("s", skipNodeOperations=["*"], colour="red"))
    assert set(created["spec"]) == {"driver", "nodeName", "pool", "devices"}
    with pytest.raises(BadRequest, match=r'strict decoding error: unknown field "spec.colour"'):
        store.create("resourceslices", a_slice("s2", skipNodeOperations=["*"], colour="red"), strict=True)


def test_a_value_of_the_wrong_type_is_not_read(store: Store) -> None:
    with pytest.raises(BadRequest, match=r"cannot unmarshal number into Go struct field ResourceSliceSpec.spec.driver"):
        store.create("resourceslices", a_slice("s", driver=1))
