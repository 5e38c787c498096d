"""The spec of claims: an example with everything in it, and what its fields are changed to."""

import json
from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.mutate import Table, grown, keyed, many, twice

_SELECTOR = {"cel": {"expression": "device.driver == 'gpu.example.com'"}}
_TOLERATION = {"key": "example.com/broken", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}
CONFIG: Object = {
    "opaque": {"driver": "gpu.example.com", "parameters": {"apiVersion": "a/v1", "kind": "Config", "size": 1}}
}
_DERIVED = {"name": "example.com/kind", "expression": "device.driver"}

PLAIN: Object = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}]}}
FULL: Object = {
    "devices": {
        "requests": [
            {
                "name": "gpu",
                "exactly": {
                    "deviceClassName": "gpu.example.com",
                    "selectors": [_SELECTOR],
                    "allocationMode": "ExactCount",
                    "count": 2,
                    "tolerations": [_TOLERATION, {"operator": "Exists", "tolerationSeconds": 30}],
                    "capacity": {"requests": {"memory": "10Gi", "example.com/cores": "2"}},
                },
            },
            {
                "name": "nic",
                "firstAvailable": [
                    {"name": "fast", "deviceClassName": "fast.example.com", "selectors": [_SELECTOR], "count": 1},
                    {"name": "slow", "deviceClassName": "slow.example.com", "allocationMode": "All"},
                ],
            },
            {"name": "all", "exactly": {"deviceClassName": "gpu.example.com", "allocationMode": "All"}},
        ],
        "constraints": [
            {"requests": ["gpu", "nic"], "matchAttribute": "resource.kubernetes.io/pcieRoot"},
            {"requests": ["gpu"], "distinctAttribute": "gpu.example.com/index"},
        ],
        "config": [{"requests": ["gpu", "nic/fast"], **CONFIG}, CONFIG],
    }
}
PARAMETERS: tuple[Any, ...] = (
    {},
    {"a": {"b": [1, "x", None, 1.5, True], "c": {}}},
    {"a": None, "b": [], "c": 1e30, "d": 12345678901234567890},
    [],
    "text",
    1,
    None,
    True,
    {"a": "x" * 10232},
    {"a": "x" * 10233},
    {"a": "<&>\u2028é"},
)
REFERENCES: tuple[Any, ...] = (
    "gpu",
    "nic",
    "nic/fast",
    "nic/none",
    "nic/fast/x",
    "gpu/fast",
    "none",
    "none/fast",
    "",
    "/",
    "nic/",
    "/fast",
    "GPU",
    "g" * 64,
)


def _exactly(index: int) -> Object:
    return {"name": f"r-{index}", "exactly": {"deviceClassName": "c"}}


def _alternative(index: int) -> Object:
    return {"name": f"a-{index}", "deviceClassName": "c"}


def _request_fields(place: str) -> Table:
    return {
        f"{place}.deviceClassName": values.DNS_SUBDOMAINS,
        f"{place}.selectors": [[], [{}], many(32, lambda _: _SELECTOR), many(33, lambda _: _SELECTOR), [{"cel": {}}]],
        f"{place}.selectors.*.cel.expression": [
            "true",
            "device.attributes['a'].b",
            "device.nothing",
            "1",
            "",
            "x" * 10240,
            "x" * 10241,
            "'" + "x" * 10000 + "' == ''",
        ],
        f"{place}.allocationMode": ["ExactCount", "All", "Some", "exactcount"],
        f"{place}.count": values.INTEGERS,
        f"{place}.adminAccess": values.BOOLEANS,
        f"{place}.tolerations": [
            [],
            [{}],
            many(16, lambda index: {**_TOLERATION, "key": f"k{index}"}),
            many(17, lambda index: {**_TOLERATION, "key": f"k{index}"}),
            twice,
        ],
        f"{place}.tolerations.*": [{"key": "a"}, {"operator": "Exists"}, {"operator": "Equal"}, {"value": "a"}],
        f"{place}.tolerations.*.key": values.LABEL_KEYS,
        f"{place}.tolerations.*.operator": ["Equal", "Exists", "Gt", "exists"],
        f"{place}.tolerations.*.value": values.LABEL_VALUES,
        f"{place}.tolerations.*.effect": ["NoSchedule", "NoExecute", "None", "PreferNoSchedule", "noexecute"],
        f"{place}.tolerations.*.tolerationSeconds": values.INTEGERS,
        f"{place}.capacity": [{}, {"requests": {}}],
        f"{place}.capacity.requests": [
            {},
            keyed(32, "1"),
            keyed(33, "1"),
            *({name: "1"} for name in values.QUALIFIED),
        ],
        f"{place}.capacity.requests.*": values.QUANTITIES,
        f"{place}.derivedAttributes": [[], [_DERIVED], [{}], many(33, lambda _: _DERIVED), 1],
    }


SPEC: Table = {
    "spec": [{}, {"devices": {}}],
    "spec.devices": [{}, {"requests": []}],
    "spec.devices.requests": [
        [],
        many(32, _exactly),
        many(33, _exactly),
        [{"name": "gpu"}],
        [{"name": "gpu", "exactly": {}}],
        twice,
        grown(3, "name"),
    ],
    "spec.devices.requests.*": [
        {"name": "gpu"},
        {},
        {"name": "gpu", "exactly": {"deviceClassName": "c"}, "firstAvailable": [_alternative(0)]},
        {"name": "gpu", "exactly": {"deviceClassName": "c"}, "firstAvailable": []},
        {"name": "gpu", "exactly": None, "firstAvailable": []},
        {"name": "gpu", "deviceClassName": "c"},
    ],
    "spec.devices.requests.*.name": values.DNS_LABELS,
    "spec.devices.requests.*.exactly": [{}, {"deviceClassName": "c"}],
    "spec.devices.requests.*.firstAvailable": [
        [],
        [{}],
        many(8, _alternative),
        many(9, _alternative),
        twice,
        [_alternative(0), {**_alternative(0), "count": 3}],
    ],
    "spec.devices.requests.*.firstAvailable.*": [{"name": "a"}, {}, {**_alternative(1), "adminAccess": True}],
    "spec.devices.requests.*.firstAvailable.*.name": values.DNS_LABELS,
    **_request_fields("spec.devices.requests.*.exactly"),
    **_request_fields("spec.devices.requests.*.firstAvailable.*"),
    "spec.devices.constraints": [
        [],
        [{}],
        many(32, lambda _: {"matchAttribute": "a/b"}),
        many(33, lambda _: {"matchAttribute": "a/b"}),
        [{"matchAttribute": "a/b", "distinctAttribute": "a/c"}],
        [{"matchAttribute": "a", "distinctAttribute": "a/c"}],
        [{"matchAttribute": "a/b", "distinctAttribute": "a"}],
        [{"matchAttribute": None, "distinctAttribute": None}],
    ],
    "spec.devices.constraints.*.requests": [
        [],
        ["gpu", "gpu"],
        many(32, lambda _: "gpu"),
        many(33, lambda index: f"r-{index}"),
        *([name] for name in REFERENCES),
    ],
    "spec.devices.constraints.*.requests.*": REFERENCES,
    "spec.devices.constraints.*.matchAttribute": values.QUALIFIED,
    "spec.devices.constraints.*.distinctAttribute": values.QUALIFIED,
    "spec.devices.config": [[], [{}], many(32, lambda _: CONFIG), many(33, lambda _: CONFIG)],
    "spec.devices.config.*": [{}, {"opaque": {}}, {"requests": ["gpu"]}],
    "spec.devices.config.*.requests": [[], ["gpu", "gpu"], ["nic/slow"], many(33, lambda index: f"r-{index}")],
    "spec.devices.config.*.requests.*": REFERENCES,
    "spec.devices.config.*.opaque.driver": values.DRIVERS,
    "spec.devices.config.*.opaque.parameters": PARAMETERS,
}


def flattened(spec: Any) -> Any:
    """A claim's spec as v1beta1 has it: what is in `exactly` stands in the request itself."""
    spec = json.loads(json.dumps(spec))
    devices = spec.get("devices") if isinstance(spec, dict) else None
    requests = devices.get("requests") if isinstance(devices, dict) else None
    for request in requests if isinstance(requests, list) else ():
        if isinstance(request, dict) and isinstance(request.get("exactly"), dict):
            request |= {key: value for key, value in request.pop("exactly").items() if key not in request}
    return spec
