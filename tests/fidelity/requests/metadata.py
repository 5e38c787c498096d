"""Metadata, which all kinds of objects share."""

from typing import Any

from conformance.cluster.api import Object
from conformance.cluster.resources import RESOURCES
from tests.fidelity import values
from tests.fidelity.model import Case, Draw, Request, create, get, patch, update
from tests.fidelity.mutate import REMOVE, Table, keyed, mutated, twice
from tests.fidelity.operations import written
from tests.fidelity.registry import family

BODIES: dict[str, Object] = {
    "resourceslices": {
        "spec": {
            "driver": "gpu.example.com",
            "pool": {"name": "a", "generation": 1, "resourceSliceCount": 1},
            "allNodes": True,
        }
    },
    "deviceclasses": {"spec": {}},
    "devicetaintrules": {"spec": {"taint": {"key": "a", "effect": "None", "timeAdded": "2024-01-02T03:04:05Z"}}},
    "resourceclaims": {"spec": {"devices": {}}},
    "resourceclaimtemplates": {"spec": {"spec": {"devices": {}}}},
    "serviceaccounts": {},
    "configmaps": {},
    "leases": {"spec": {}},
    "nodes": {},
}
"""The rest of small objects."""

_OWNER = {"apiVersion": "v1", "kind": "Node", "name": "node-a", "uid": "0e9c0a5b-4e6f-4d8a-9e1b-2f3a4b5c6d7e"}
_FULL: Object = {
    "labels": {"example.com/a": "b", "c": ""},
    "annotations": {"example.com/a": "any text: äöü\n", "c": ""},
    "finalizers": ["example.com/hold"],
    "ownerReferences": [{**_OWNER, "controller": True, "blockOwnerDeletion": False}],
}
_TABLE: Table = {
    "metadata": [{}, {"name": ""}],
    "metadata.name": (REMOVE, "", *values.DNS_SUBDOMAINS[2:]),
    "metadata.generateName": ("x-", "X-", "a" * 300, "a..b", "a_b", "", "a" * 62 + "-"),
    "metadata.namespace": ("other", "default", "A_", ""),
    "metadata.labels": [{}, keyed(50, "v"), *({key: "v"} for key in values.LABEL_KEYS)],
    "metadata.labels.*": values.LABEL_VALUES,
    "metadata.annotations": [
        {},
        {"a": "x" * 262144},
        {"a": "x" * 262143},
        {"Example.com/a": "x"},
        *({key: "v"} for key in values.LABEL_KEYS),
    ],
    "metadata.annotations.*": ("", "any text: äöü", "x" * 1000),
    "metadata.finalizers": [
        [],
        ["a"],
        ["kubernetes"],
        ["orphan"],
        ["foregroundDeletion", "orphan"],
        ["foregroundDeletion"],
        twice,
        *([key] for key in values.LABEL_KEYS),
    ],
    "metadata.ownerReferences": [
        [],
        twice,
        [_OWNER],
        [{**_OWNER, "controller": True}, {**_OWNER, "controller": True}],
        [{}],
    ],
    "metadata.ownerReferences.*.apiVersion": ("v1", "apps/v1", "a/b/c", "", "v1/", "/v1"),
    "metadata.ownerReferences.*.kind": ("Pod", "Event", ""),
    "metadata.ownerReferences.*.name": ("x", "", "A_"),
    "metadata.ownerReferences.*.uid": ("x", "", *values.UUIDS),
    "metadata.ownerReferences.*.controller": values.BOOLEANS,
    "metadata.ownerReferences.*.blockOwnerDeletion": values.BOOLEANS,
    "metadata.uid": ("", *values.UUIDS[:1]),
    "metadata.resourceVersion": ("", "0", "1", "x", "999999999"),
    "metadata.generation": (0, 1, 7, -1),
    "metadata.selfLink": ("/x",),
    "metadata.creationTimestamp": values.TIMES,
    "metadata.deletionTimestamp": values.TIMES,
    "metadata.deletionGracePeriodSeconds": (0, 1, -1),
    "metadata.managedFields": [[], [{}], [{"manager": "m", "operation": "Update", "apiVersion": "v1"}]],
    "apiVersion": ("v1", "resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v9", "x", "a/b/c", ""),
    "kind": ("Node", "ResourceSlice", "Status", ""),
}


def namespace_of(resource: str) -> str:
    """Where the objects of a kind are made: the default namespace, or none."""
    return "default" if RESOURCES[resource].namespaced else ""


def small(resource: str, name: str, **metadata: Any) -> Object:
    """A small object that is accepted."""
    return {"metadata": {"name": name, **metadata}, **BODIES[resource]}


@family("metadata", weight=6)
def metadata(draw: Draw) -> Case:
    """Written with all the metadata that there is."""
    resource = draw.random.choice(list(BODIES))
    row = RESOURCES[resource]
    example: Object = {"apiVersion": row.api_version, "kind": row.kind, **small(resource, draw.name, **_FULL)}
    changed, said = mutated(draw, example, _TABLE)
    if not changed.get("metadata", {}):
        changed["metadata"] = {}
    said = f"{resource} {said}"
    return written(draw, resource, example, changed, said, namespace=namespace_of(resource))


@family("generated names", weight=1)
def generated_names(draw: Draw) -> Case:
    """generateName, alone and with a name."""
    resource = draw.random.choice(list(BODIES))
    base = draw.random.choice(("x-", f"{draw.name}-", "X-", "a" * 60 + "-", "a." * 130, "a..", "", "-"))
    meta: Object = {"generateName": base}
    if draw.chance(0.2):
        meta["name"] = draw.name
    obj = {"metadata": meta, **BODIES[resource]}
    return Case(f"{resource} {base!r}", [create(resource, obj, namespace_of(resource))])


@family("updates", weight=4)
def updates(draw: Draw) -> Case:
    """Updates that name another object, an old version or another UID; nothing changed; what cannot be changed."""
    from tests.fidelity.model import Ref

    resource = draw.random.choice(list(BODIES))
    namespace, name = namespace_of(resource), draw.name
    version, uid = Ref(0, "metadata.resourceVersion"), Ref(0, "metadata.uid")
    created = Ref(0, "metadata.creationTimestamp")
    other = values.UUIDS[0]
    changes: dict[str, Object] = {
        "nothing changed": {},
        "a label": {"labels": {"a": "b"}},
        "the right version": {"resourceVersion": version, "labels": {"a": "b"}},
        "an old version": {"resourceVersion": "1"},
        "version 0": {"resourceVersion": "0"},
        "no version at all": {"resourceVersion": "x"},
        "the right UID": {"uid": uid, "labels": {"a": "b"}},
        "another UID": {"uid": other},
        "another UID and version": {"uid": other, "resourceVersion": version},
        "another name": {"name": f"{name}-x"},
        "without a name": {"name": ""},
        "another namespace": {"namespace": "other"},
        "its creation": {"creationTimestamp": created, "labels": {"a": "b"}},
        "another creation": {"creationTimestamp": "2020-01-01T00:00:00Z"},
        "a deletion": {"deletionTimestamp": "2020-01-01T00:00:00Z"},
        "a grace period": {"deletionGracePeriodSeconds": 3},
        "another generation": {"generation": 9},
        "a finalizer": {"finalizers": ["a.example.com/b"]},
        "a bad finalizer": {"finalizers": ["a b"]},
        "a plain finalizer": {"finalizers": ["plain"]},
    }
    said = draw.random.choice(list(changes))
    first = small(resource, name)
    second = {**first, "metadata": {**first["metadata"], **changes[said]}}
    steps: list[Request] = [create(resource, first, namespace)]
    way = draw.random.choice(("update", "update", "merge", "json"))
    if way == "update":
        steps.append(update(resource, name, second, namespace))
    elif way == "merge":
        steps.append(patch(resource, name, {"metadata": changes[said]}, namespace))
    else:
        body = [{"op": "add", "path": f"/metadata/{key}", "value": value} for key, value in changes[said].items()]
        steps.append(patch(resource, name, body, namespace, kind="json"))
    steps.append(get(resource, name, namespace))
    return Case(f"{resource} {way} {said}", steps)
