"""The status of claims: allocation, reservations, and what drivers report."""

import json
from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw, Ref, Request, create, delete, get, patch, update
from tests.fidelity.mutate import Table, grown, keyed, many, mutated, twice
from tests.fidelity.registry import family
from tests.fidelity.requests.claim_spec import CONFIG, FULL, PARAMETERS, REFERENCES

_WHEN = "2024-01-02T03:04:05Z"
_SHARE = "0e9c0a5b-4e6f-4d8a-9e1b-2f3a4b5c6d7e"
_CONDITION = {"type": "Ready", "status": "True", "reason": "Fine", "message": "it is", "lastTransitionTime": _WHEN}
_TOLERATION = {"key": "example.com/broken", "operator": "Exists", "effect": "NoSchedule"}
_TERM = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}
_DRIVER, _POOL = "gpu.example.com", "node-a"
_ALLOCATION: Object = {
    "devices": {
        "results": [
            {"request": "gpu", "driver": _DRIVER, "pool": _POOL, "device": "gpu-0", "tolerations": [_TOLERATION]},
            {
                "request": "gpu",
                "driver": _DRIVER,
                "pool": _POOL,
                "device": "gpu-1",
                "bindingConditions": ["example.com/ready"],
                "bindingFailureConditions": ["example.com/failed"],
            },
            {
                "request": "nic/fast",
                "driver": "nic.example.com",
                "pool": "rack/1",
                "device": "nic-0",
                "shareID": _SHARE,
                "consumedCapacity": {"bandwidth": "10", "example.com/queues": "1k"},
            },
        ],
        "config": [
            {"source": "FromClass", "requests": ["gpu"], **CONFIG},
            {"source": "FromClaim", **CONFIG},
        ],
    },
    "nodeSelector": {"nodeSelectorTerms": [_TERM]},
    "allocationTimestamp": _WHEN,
}
_DEVICES: list[Object] = [
    {
        "driver": _DRIVER,
        "pool": _POOL,
        "device": "gpu-0",
        "conditions": [_CONDITION],
        "data": {"kind": "State", "hot": True},
        "networkData": {
            "interfaceName": "eth0",
            "hardwareAddress": "02:00:00:00:00:01",
            "ips": ["10.9.8.7/24", "2001:db8::1/64"],
        },
    },
    {"driver": "nic.example.com", "pool": "rack/1", "device": "nic-0", "shareID": _SHARE},
]
STATUS: Object = {
    "allocation": _ALLOCATION,
    "reservedFor": [
        {"resource": "pods", "name": "pod-0", "uid": "uid-0"},
        {"apiGroup": "example.com", "resource": "jobs", "name": "job-0", "uid": "uid-1"},
    ],
    "devices": _DEVICES,
}


def _result(index: int) -> Object:
    return {"request": "gpu", "driver": _DRIVER, "pool": _POOL, "device": f"d-{index}"}


def _user(index: int) -> Object:
    return {"resource": "pods", "name": f"p-{index}", "uid": f"u-{index}"}


def _condition(index: int) -> Object:
    return {**_CONDITION, "type": f"T{index}"}


_ALLOCATED: Table = {
    "status.allocation": [{}, {"devices": {}}],
    "status.allocation.devices": [{}],
    "status.allocation.devices.results": [[], [{}], many(32, _result), many(33, _result), twice],
    "status.allocation.devices.results.*": [{}, _result(9), {**_result(9), "request": "none"}],
    "status.allocation.devices.results.*.request": REFERENCES,
    "status.allocation.devices.results.*.driver": values.DRIVERS,
    "status.allocation.devices.results.*.pool": values.POOLS,
    "status.allocation.devices.results.*.device": values.DNS_LABELS,
    "status.allocation.devices.results.*.adminAccess": values.BOOLEANS,
    "status.allocation.devices.results.*.tolerations": [
        [],
        [{}],
        many(16, lambda _: _TOLERATION),
        many(17, lambda _: _TOLERATION),
        [{"operator": "Equal", "key": "a"}],
        [{"key": "a"}],
    ],
    "status.allocation.devices.results.*.bindingConditions": [
        [],
        ["a"],
        ["a", "a"],
        ["a", "b", "c", "d"],
        ["a", "b", "c", "d", "e"],
        ["example.com/failed"],
        ["-"],
    ],
    "status.allocation.devices.results.*.bindingFailureConditions": [
        [],
        ["a"],
        ["a", "a"],
        ["-"],
        ["a", "b", "c", "d", "e"],
    ],
    "status.allocation.devices.results.*.shareID": values.UUIDS,
    "status.allocation.devices.results.*.consumedCapacity": [{}, keyed(40, "1"), {"9a": "1"}, {"a/b/c": "1"}],
    "status.allocation.devices.results.*.consumedCapacity.*": values.QUANTITIES,
    "status.allocation.devices.results.*.skipNodeOperations": [["*"], ["NodePrepareResources"], ["x"], []],
    "status.allocation.devices.config": [
        [],
        [{}],
        many(64, lambda _: {"source": "FromClass", **CONFIG}),
        many(65, lambda _: {"source": "FromClass", **CONFIG}),
    ],
    "status.allocation.devices.config.*.source": ["FromClass", "FromClaim", "fromclass"],
    "status.allocation.devices.config.*.requests": [[], ["gpu", "gpu"], many(33, lambda index: f"r-{index}")],
    "status.allocation.devices.config.*.requests.*": REFERENCES,
    "status.allocation.devices.config.*.opaque.driver": values.DRIVERS,
    "status.allocation.devices.config.*.opaque.parameters": PARAMETERS,
    "status.allocation.nodeSelector": [{}, {"nodeSelectorTerms": []}, {"nodeSelectorTerms": [{}]}],
    "status.allocation.nodeSelector.nodeSelectorTerms.*.matchFields.*.key": ["metadata.name", "metadata.namespace", ""],
    "status.allocation.nodeSelector.nodeSelectorTerms.*.matchFields.*.operator": values.SELECTOR_OPERATORS,
    "status.allocation.nodeSelector.nodeSelectorTerms.*.matchFields.*.values": [[], ["a", "b"], ["a b"]],
    "status.allocation.nodeSelector.nodeSelectorTerms.*.matchExpressions": [
        [],
        [{"key": "a", "operator": "In", "values": ["b"]}],
        [{"key": "a", "operator": "Exists", "values": ["b"]}],
        [{"key": "-", "operator": "Exists"}],
        [{}],
    ],
    "status.allocation.allocationTimestamp": values.TIMES,
}
_USED: Table = {
    "status": [{}],
    "status.reservedFor": [[], [{}], many(256, _user), many(257, _user), twice, grown(3, "uid")],
    "status.reservedFor.*": [{}, _user(7)],
    "status.reservedFor.*.resource": ["pods", ""],
    "status.reservedFor.*.apiGroup": ["", "example.com", "-"],
    "status.reservedFor.*.name": ["x", ""],
    "status.reservedFor.*.uid": ["x", "uid-0", ""],
}
_REPORTED: Table = {
    "status.devices": [[], [{}], twice],
    "status.devices.*": [{}, {"driver": _DRIVER, "pool": _POOL, "device": "gpu-1"}],
    "status.devices.*.driver": values.DRIVERS,
    "status.devices.*.pool": values.POOLS,
    "status.devices.*.device": ("gpu-1", *values.DNS_LABELS),
    "status.devices.*.shareID": values.UUIDS,
    "status.devices.*.conditions": [[], [{}], many(8, _condition), many(9, _condition), twice],
    "status.devices.*.conditions.*": [{"type": "Ready"}, {**_CONDITION, "observedGeneration": -1}],
    "status.devices.*.conditions.*.type": values.LABEL_KEYS,
    "status.devices.*.conditions.*.status": ["True", "False", "Unknown", "true"],
    "status.devices.*.conditions.*.reason": ["A", "a-b", "9", "a b", "r" * 1024, "r" * 1025, "A:"],
    "status.devices.*.conditions.*.message": ["", "m" * 32768, "m" * 32769],
    "status.devices.*.conditions.*.lastTransitionTime": values.TIMES,
    "status.devices.*.conditions.*.observedGeneration": values.INTEGERS,
    "status.devices.*.data": PARAMETERS,
    "status.devices.*.networkData": [{}, {"ips": []}],
    "status.devices.*.networkData.interfaceName": values.text(256),
    "status.devices.*.networkData.hardwareAddress": values.text(128),
    "status.devices.*.networkData.ips": [
        [],
        many(16, lambda index: f"10.0.0.{index}/8"),
        many(17, lambda index: f"10.0.0.{index}/8"),
        twice,
    ],
    "status.devices.*.networkData.ips.*": [
        "10.9.8.7/24",
        "10.9.8.7",
        "10.9.8.7/33",
        "010.9.8.7/24",
        "10.9.8.7/024",
        "10.9.8/24",
        "2001:DB8::1/64",
        "2001:db8:0::1/64",
        "::ffff:10.9.8.7/120",
        "fe80::1%eth0/64",
        "10.9.8.7/255.255.255.0",
        "x/24",
        "10.9.8.7/",
    ],
}
_TABLES = (_ALLOCATED, _USED, _REPORTED)


@family("claim status", weight=10)
def claim_status(draw: Draw) -> Case:
    """A first status and a second one, by PUT or PATCH, in one of the ways that real ones follow each other."""
    namespace, before = _namespace(draw)
    changed, said = mutated(draw, {"status": STATUS}, draw.random.choice(_TABLES))
    status = changed.get("status")
    name = draw.name
    metadata: Object = {"name": name}
    if draw.chance(0.3):
        metadata["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    steps = [create("resourceclaims", {"metadata": metadata, "spec": FULL}, namespace)]
    follow = draw.random.choice(("once", "once", "then", "change", "clear", "deleted", "spec", "version"))
    if follow in ("then", "clear", "deleted"):
        steps.append(_write(draw, name, namespace, STATUS))
    if follow == "deleted":
        steps.append(delete("resourceclaims", name, namespace))
    if follow == "clear":
        status = _cleared(draw, status)
    steps.append(_write(draw, name, namespace, status, free=follow == "version"))
    if follow == "change":
        again, more = mutated(draw, {"status": status}, draw.random.choice(_TABLES))
        said += f" and then {more}"
        steps.append(_write(draw, name, namespace, again.get("status")))
    if follow == "spec":
        spec = {"devices": {"requests": []}} if draw.chance(0.5) else FULL
        obj = {"metadata": {"name": name, "labels": {"a": "b"}}, "spec": spec, "status": {}}
        steps.append(update("resourceclaims", name, obj, namespace))
    steps.append(get("resourceclaims", name, namespace, subresource="status" if draw.chance(0.1) else ""))
    return Case(f"{follow}: {said}", [*before, *steps])


def _cleared(draw: Draw, status: Any) -> Any:
    if not isinstance(status, dict):
        return status
    status = json.loads(json.dumps(status))
    for key in draw.random.choice((("allocation",), ("allocation", "reservedFor"), ("devices",), ("reservedFor",))):
        status.pop(key, None)
    return status


def _write(draw: Draw, name: str, namespace: str, status: Any, *, free: bool = False) -> Request:
    way = draw.random.choice(("put", "put", "put", "merge", "strategic", "json", "apply", "v1beta1", "v1beta2"))
    if way == "json":
        body = [{"op": "add", "path": "/status", "value": status}]
        return patch("resourceclaims", name, body, namespace, kind="json", subresource="status")
    if way in ("merge", "strategic"):
        return patch("resourceclaims", name, {"status": status}, namespace, kind=way, subresource="status")
    if way == "apply":
        query = {"fieldManager": "fidelity", "force": "true"}
        return patch("resourceclaims", name, {"status": status}, namespace, kind=way, subresource="status", **query)
    metadata: Object = {"name": name, "labels": {"ignored": "yes"}}
    if free:
        metadata["resourceVersion"] = draw.random.choice(("1", Ref(0, "metadata.resourceVersion")))
    obj = {"metadata": metadata, "status": status}
    version = way if way.startswith("v") else ""
    return update("resourceclaims", name, obj, namespace, version=version, subresource="status")


def _namespace(draw: Draw) -> tuple[str, list[Request]]:
    if not draw.chance(0.1):
        return "default", []
    name = f"{draw.name}-ns"
    labels = {"resource.kubernetes.io/admin-access": "true"}
    return name, [create("namespaces", {"metadata": {"name": name, "labels": labels}})]
