"""ResourceSlices: pools, node selection, devices with all that they have, counters; v1 and older versions."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw
from tests.fidelity.mutate import Table, grown, keyed, many, mutated, twice
from tests.fidelity.operations import written
from tests.fidelity.registry import family

_ADDED = "2024-01-02T03:04:05Z"
_TERM = {"matchExpressions": [{"key": "example.com/zone", "operator": "In", "values": ["a", "b"]}]}
_FIELD_TERM = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}
_SELECTOR = {"nodeSelectorTerms": [_TERM]}

DEVICE: Object = {
    "name": "gpu-0",
    "attributes": {
        "model": {"string": "A100"},
        "example.com/driverVersion": {"version": "1.2.3"},
        "index": {"int": 0},
        "healthy": {"bool": True},
        "resource.kubernetes.io/pcieRoot": {"string": "pci0000:00"},
    },
    "capacity": {
        "memory": {"value": "40Gi"},
        "example.com/cores": {"value": "100"},
    },
}
_PLAIN: Object = {
    "driver": "gpu.example.com",
    "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
    "nodeName": "node-a",
    "devices": [DEVICE, {"name": "gpu-1"}],
}
_FULL: Object = {
    "driver": "gpu.example.com",
    "pool": {"name": "rack-1/pool.a", "generation": 3, "resourceSliceCount": 2},
    "perDeviceNodeSelection": True,
    "devices": [
        {
            **DEVICE,
            "nodeName": "node-a",
            "taints": [{"key": "example.com/broken", "value": "yes", "effect": "NoSchedule", "timeAdded": _ADDED}],
            "consumesCounters": [{"counterSet": "set-0", "counters": {"memory": {"value": "1Gi"}}}],
            "bindsToNode": True,
            "bindingConditions": ["example.com/ready"],
            "bindingFailureConditions": ["example.com/failed"],
        },
        {
            "name": "gpu-1",
            "allowMultipleAllocations": True,
            "nodeSelector": {"nodeSelectorTerms": [_TERM, _FIELD_TERM]},
            "capacity": {
                "memory": {
                    "value": "40Gi",
                    "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "20Gi", "step": "1Gi"}},
                },
                "lanes": {"value": "8", "requestPolicy": {"default": "2", "validValues": ["1", "2", "4"]}},
            },
        },
        {"name": "gpu-2", "allNodes": True},
    ],
}
_COUNTERS: Object = {
    "driver": "gpu.example.com",
    "pool": {"name": "pool", "generation": 0, "resourceSliceCount": 2},
    "nodeSelector": _SELECTOR,
    "sharedCounters": [
        {"name": "set-0", "counters": {"memory": {"value": "40Gi"}, "slices": {"value": "7"}}},
        {"name": "set-1", "counters": {"memory": {"value": "40Gi"}}},
    ],
}


def _device(index: int) -> Object:
    return {"name": f"d-{index}"}


def _tainted(index: int) -> Object:
    return {"name": f"d-{index}", "taints": [{"key": "k", "effect": "None"}]}


def _taint(index: int) -> Object:
    return {"key": f"k-{index}", "effect": "NoExecute"}


_SPEC: Table = {
    "spec": [{}],
    "spec.driver": values.DRIVERS,
    "spec.pool": [{}, {"name": "a"}, {"name": "a", "resourceSliceCount": 1}],
    "spec.pool.name": values.POOLS,
    "spec.pool.generation": values.INTEGERS,
    "spec.pool.resourceSliceCount": values.INTEGERS,
    "spec.nodeName": ("node-b", *values.DNS_SUBDOMAINS),
    "spec.nodeSelector": [_SELECTOR, {"nodeSelectorTerms": []}, {"nodeSelectorTerms": [_TERM, _TERM]}],
    "spec.allNodes": values.BOOLEANS,
    "spec.perDeviceNodeSelection": values.BOOLEANS,
    "spec.sharedCounters": [[], _COUNTERS["sharedCounters"]],
    "spec.partitionTypeAttribute": ["example.com/type", "type", ""],
    "spec.skipNodeOperations": [["*"], ["NodePrepareResources"], ["x"], [], [1]],
    "spec.devices": [
        [],
        many(128, _device),
        many(129, _device),
        many(64, _tainted),
        many(65, _tainted),
        [*many(64, _device), _tainted(99)],
        twice,
    ],
}
_DEVICE: Table = {
    "spec.devices.*": [{"name": "a"}, {}],
    "spec.devices.*.name": values.DNS_LABELS,
    "spec.devices.*.nodeName": ("node-b", *values.DNS_SUBDOMAINS),
    "spec.devices.*.nodeSelector": [_SELECTOR, {"nodeSelectorTerms": []}, {"nodeSelectorTerms": [_TERM, _TERM]}],
    "spec.devices.*.allNodes": values.BOOLEANS,
    "spec.devices.*.bindsToNode": values.BOOLEANS,
    "spec.devices.*.allowMultipleAllocations": values.BOOLEANS,
    "spec.devices.*.nodeAllocatableResources": [{}, {"cpu": {"mapping": {"deviceMultiplier": "2"}}}, {"cpu": 1}],
    "spec.devices.*.basic": [{}, {"attributes": {}}],
}
_ATTRIBUTES: Table = {
    "spec.devices.*.attributes": [
        {},
        keyed(32, {"int": 1}),
        keyed(33, {"int": 1}),
        keyed(30, {"int": 1}),
        keyed(31, {"int": 1}),
        *({name: {"int": 1}} for name in values.QUALIFIED),
    ],
    "spec.devices.*.attributes.*": [
        {},
        {"int": 1, "string": "x"},
        {"string": "x" * 65, "version": "1"},
        {"ints": [1, 2]},
        {"strings": []},
        {"versions": ["1.0.0"]},
        {"bools": [True]},
        {"bools": ["x"]},
        {"int": 1, "ints": [1]},
    ],
    "spec.devices.*.attributes.*.int": values.INTEGERS,
    "spec.devices.*.attributes.*.bool": values.BOOLEANS,
    "spec.devices.*.attributes.*.string": values.text(64),
    "spec.devices.*.attributes.*.version": values.SEMVERS,
}
_POLICY = "spec.devices.*.capacity.*.requestPolicy"
_CAPACITY: Table = {
    "spec.devices.*.capacity": [
        {},
        keyed(27, {"value": "1"}),
        keyed(28, {"value": "1"}),
        keyed(33, {"value": "1"}),
        {"memory": {}},
        *({name: {"value": "1"}} for name in values.QUALIFIED),
    ],
    "spec.devices.*.capacity.*.value": values.QUANTITIES,
    _POLICY: [
        {},
        {"default": "1"},
        {"validValues": ["1"]},
        {"default": "1", "validValues": []},
        {"default": "1", "validRange": {}},
        {"default": "1", "validValues": ["1"], "validRange": {"min": "1"}},
        {"default": "2", "validValues": ["1", "2", "2"]},
        {"default": "2", "validValues": ["1", "2", "2000m"]},
        {"default": "1", "validValues": [str(n) for n in range(1, 11)]},
        {"default": "1", "validValues": [str(n) for n in range(1, 12)]},
        {"default": "3", "validValues": ["4", "2", "1"]},
        {"default": "1500m", "validValues": ["1", "1500m", "1200m"]},
        {"default": "1", "validRange": {"min": "0", "max": "4", "step": "2"}},
        {"default": "2", "validRange": {"min": "0", "max": "5", "step": "2"}},
        {"default": "1", "validRange": {"min": "1", "step": "100Gi"}},
        {"default": "1", "validRange": {"min": "1500m", "step": "500m"}},
        {"default": "2", "validRange": {"min": "500m", "max": "3", "step": "500m"}},
        {"default": "-1", "validRange": {"min": "-1", "max": "3", "step": "1"}},
        {"default": "1", "validRange": {"min": "3", "max": "2"}},
        {"default": "1", "validRange": {"min": "1", "max": "9223372036854775808", "step": "1"}},
    ],
    f"{_POLICY}.default": values.QUANTITIES,
    f"{_POLICY}.validValues": [["1"], ["2", "1"], ["1", "1"], many(11, str)],
    f"{_POLICY}.validValues.*": values.QUANTITIES,
    f"{_POLICY}.validRange": [{"min": "1"}, {"max": "1"}, {"step": "1"}],
    f"{_POLICY}.validRange.min": ("1Gi", "2Gi", "30Gi", *values.QUANTITIES),
    f"{_POLICY}.validRange.max": ("1Gi", "2Gi", "41Gi", *values.QUANTITIES),
    f"{_POLICY}.validRange.step": ("2Gi", "19Gi", "39Gi", "40Gi", *values.QUANTITIES),
}
_TAINTS: Table = {
    "spec.devices.*.taints": [[], many(16, _taint), many(17, _taint), twice, [{}]],
    "spec.devices.*.taints.*.key": values.LABEL_KEYS,
    "spec.devices.*.taints.*.value": values.LABEL_VALUES,
    "spec.devices.*.taints.*.effect": ("None", "NoExecute", "NoSchedule", "PreferNoSchedule", "none"),
    "spec.devices.*.taints.*.timeAdded": values.TIMES,
}
_CONDITIONS: Table = {
    f"spec.devices.*.{name}": [
        [],
        ["a"],
        ["a", "a"],
        ["example.com/failed"],
        ["example.com/ready"],
        many(4, "c{}".format),
        many(5, "c{}".format),
        [""],
        *([key] for key in values.LABEL_KEYS),
    ]
    for name in ("bindingConditions", "bindingFailureConditions")
}
_CONSUMED = "spec.devices.*.consumesCounters"
_COUNTERS_TABLE: Table = {
    "spec.sharedCounters": [[], twice, grown(8, "name"), grown(9, "name"), [{}]],
    "spec.devices": [[], [{"name": "a"}]],
    "spec.sharedCounters.*": [{"name": "a"}, {"counters": {}}],
    "spec.sharedCounters.*.name": values.DNS_LABELS,
    "spec.sharedCounters.*.counters": [
        keyed(32, {"value": "1"}),
        keyed(33, {"value": "1"}),
        *({name: {"value": "1"}} for name in values.DNS_LABELS),
        {"a": {}},
    ],
    "spec.sharedCounters.*.counters.*": [{}, {"value": "1"}],
    "spec.sharedCounters.*.counters.*.value": values.QUANTITIES,
    "spec.nodeSelector.nodeSelectorTerms": [[], [{}], [_TERM, _TERM]],
}
_CONSUMED_TABLE: Table = {
    _CONSUMED: [[], twice, grown(2, "counterSet"), grown(3, "counterSet"), [{}]],
    f"{_CONSUMED}.*.counterSet": values.DNS_LABELS,
    f"{_CONSUMED}.*.counters": [
        keyed(32, {"value": "1"}),
        keyed(33, {"value": "1"}),
        *({name: {"value": "1"}} for name in values.DNS_LABELS),
    ],
    f"{_CONSUMED}.*.counters.*.value": values.QUANTITIES,
    f"{_CONSUMED}.*.compatibilityGroups": [[], ["a"], ["a", "a"], ["a", "b", "c"], [1]],
}


def _terms(place: str) -> Table:
    expression, field = f"{place}.*.matchExpressions", f"{place}.*.matchFields"
    return {
        place: [[], [{}], [_TERM, _TERM], [_FIELD_TERM], [{"matchFields": [], "matchExpressions": []}]],
        f"{place}.*": [{}, _TERM, _FIELD_TERM],
        f"{expression}.*": [
            {"key": "a", "operator": "Exists"},
            {"key": "a", "operator": "Exists", "values": ["x"]},
            {},
        ],
        f"{expression}.*.key": values.LABEL_KEYS,
        f"{expression}.*.operator": values.SELECTOR_OPERATORS,
        f"{expression}.*.values": [["1"], ["1", "2"], ["x"], *([value] for value in values.LABEL_VALUES)],
        f"{field}.*.key": ["metadata.name", "metadata.namespace", "x"],
        f"{field}.*.operator": values.SELECTOR_OPERATORS,
        f"{field}.*.values": [["a"], ["a", "b"], ["A_"], [""]],
        f"{field}": [[{"key": "metadata.name", "operator": "In", "values": ["a"]}], [{}]],
    }


_PLAIN_TABLE: Table = {**_SPEC, **_DEVICE, **_ATTRIBUTES}
_FULL_TABLE: Table = {
    **_DEVICE,
    **_CAPACITY,
    **_TAINTS,
    **_CONDITIONS,
    **_CONSUMED_TABLE,
    **_terms("spec.devices.*.nodeSelector.nodeSelectorTerms"),
}
_COUNTER_TABLE: Table = {**_SPEC, **_COUNTERS_TABLE, **_terms("spec.nodeSelector.nodeSelectorTerms")}


def _v1beta1(obj: Object) -> Object:
    """The layout of v1beta1: what a device has is one level deeper."""
    spec = obj.get("spec")
    if not isinstance(spec, dict) or not isinstance(spec.get("devices"), list):
        return obj
    devices = [_basic(device) if isinstance(device, dict) else device for device in spec["devices"]]
    return {**obj, "spec": {**spec, "devices": devices}}


def _basic(device: Object) -> Object:
    return {
        **({"name": device["name"]} if "name" in device else {}),
        "basic": {key: value for key, value in device.items() if key not in ("name", "basic")},
    }


def _v1beta2(obj: Object) -> Object:
    return obj


_OLDER: Any = {"v1beta1": _v1beta1, "v1beta2": _v1beta2}


def _case(draw: Draw, spec: Object, table: Table) -> Case:
    example = {"metadata": {"name": draw.name}, "spec": spec}
    changed, said = mutated(draw, example, table)
    return written(draw, "resourceslices", example, changed, said, older=_OLDER)


@family("slices", weight=6)
def slices(draw: Draw) -> Case:
    """Slices of one node: driver, pool, nodes, devices with attributes."""
    return _case(draw, _PLAIN, _PLAIN_TABLE)


@family("devices", weight=8)
def devices(draw: Draw) -> Case:
    """Devices with taints, counters, conditions, capacities with policies, and nodes of their own."""
    return _case(draw, _FULL, _FULL_TABLE)


@family("counters", weight=4)
def counters(draw: Draw) -> Case:
    """Slices with shared counters and a node selector."""
    return _case(draw, _COUNTERS, _COUNTER_TABLE)
