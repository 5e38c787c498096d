"""Objects of the core group, as far as drivers and checks have to do with them."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw, Request, create, delete, get, patch, update
from tests.fidelity.mutate import Table, mutated, twice
from tests.fidelity.operations import written
from tests.fidelity.registry import family

_ADDED = "2024-01-02T03:04:05Z"
_TAINT = {"key": "example.com/broken", "value": "yes", "effect": "NoSchedule", "timeAdded": _ADDED}
_NODE: Object = {"podCIDR": "10.0.0.0/24", "podCIDRs": ["10.0.0.0/24"], "providerID": "a://b", "taints": [_TAINT]}
_NODE_TABLE: Table = {
    "spec": [{}],
    "spec.unschedulable": values.BOOLEANS,
    "spec.taints": [[], [{}], twice, [{"key": "a", "effect": "NoExecute", "timeAdded": _ADDED}]],
    "spec.taints.*.key": values.LABEL_KEYS,
    "spec.taints.*.value": values.LABEL_VALUES,
    "spec.taints.*.effect": ("NoExecute", "NoSchedule", "PreferNoSchedule", "None", ""),
    "spec.taints.*.timeAdded": values.TIMES,
    "spec.providerID": ("a://b", "x"),
    "spec.podCIDR": ("10.0.1.0/24", "10.0.0.0", "10.0.0.0/33", "10.0.0.1/24", "fd00::/64", "x", ""),
    "spec.podCIDRs": [
        [],
        ["10.0.1.0/24"],
        ["10.0.0.0/24", "fd00::/64"],
        ["10.0.0.0/24", "10.0.1.0/24"],
        ["fd00::/64", "10.0.0.0/24", "10.0.1.0/24"],
        ["x"],
        ["10.0.0.0/24", "x"],
    ],
    "spec.configSource": [{}, {"configMap": {"name": "a", "namespace": "b", "kubeletConfigKey": "c"}}],
    "metadata.labels": [{"a": "b"}, {"a b": "c"}],
}


@family("nodes", weight=2)
def nodes(draw: Draw) -> Case:
    """Nodes and their taints."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _NODE}
    changed, said = mutated(draw, example, _NODE_TABLE)
    bare: Object = {"metadata": {"name": draw.name}, "spec": {}}
    return written(draw, "nodes", bare if draw.chance(0.2) else example, changed, said)


@family("node status", weight=1)
def node_status(draw: Draw) -> Case:
    """What a kubelet writes into the status."""
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "lastHeartbeatTime": _ADDED}
    status: Object = {
        "conditions": [{**ready, "lastTransitionTime": _ADDED, "message": "x"}],
        "capacity": {"cpu": "4", "memory": "16Gi", "example.com/gpu": "1"},
        "allocatable": {"cpu": "3500m"},
        "addresses": [{"type": "Hostname", "address": "node-a"}],
        "nodeInfo": {"kubeletVersion": "v1.37.2", "operatingSystem": "linux"},
    }
    example: Object = {"metadata": {"name": draw.name}}
    changed, said = mutated(
        draw,
        {**example, "status": status},
        {
            "status.capacity": [{}, {"cpu": "1"}, {"a b": "1"}, {"example.com/gpu": "1500m"}],
            "status.capacity.*": values.QUANTITIES,
            "status.allocatable.*": values.QUANTITIES,
            "status.conditions": [[], [{}]],
            "status.conditions.*.lastHeartbeatTime": values.TIMES,
            "spec.unschedulable": [True],
            "status": [{}],
            "status.addresses": [[], twice, [{}], [{"type": "InternalIP", "address": "x"}]],
            "metadata.labels": [{"a": "b"}, {"a b": "c"}],
            "metadata.annotations": [{"a": "b"}],
        },
    )
    last: Request = update("nodes", draw.name, changed, subresource="status")
    if draw.chance(0.5):
        kind = draw.random.choice(("merge", "strategic"))
        last = patch("nodes", draw.name, {"status": changed.get("status")}, kind=kind, subresource="status")
    return Case(f"{last.method} {said}", [create("nodes", example), last, get("nodes", draw.name)])


@family("namespaces", weight=1)
def namespaces(draw: Draw) -> Case:
    """Namespaces: their names, labels and what is made in them."""
    name = draw.name if draw.chance(0.7) else draw.random.choice(("a.b", "A", "-a", "x" * 64, ""))
    labels: Any = draw.random.choice(({}, {"a": "b"}, {"kubernetes.io/metadata.name": "other"}, {"a b": "c"}))
    obj: Object = {"metadata": {"name": name, **({"labels": labels} if labels else {})}}
    if draw.chance(0.3):
        obj["spec"] = {"finalizers": draw.random.choice((["example.com/a"], [], ["a b"], ["kubernetes"]))}
    steps: list[Request] = [create("namespaces", obj), get("namespaces", name or "none")]
    steps.append(create("configmaps", {"metadata": {"name": "a"}}, name or "none"))
    after = draw.random.choice(("label", "update", "status", "nothing"))
    if after == "label":
        steps.append(patch("namespaces", name or "none", {"metadata": {"labels": {"c": "d"}}}))
    elif after == "update":
        steps.append(update("namespaces", name or "none", {"metadata": {"name": name, "labels": {"e": "f"}}}))
    elif after == "status":
        phase = draw.random.choice(("Active", "Terminating", "Odd", ""))
        body = {"status": {"phase": phase}, "metadata": {"labels": {"g": "h"}}}
        steps.append(patch("namespaces", name or "none", body, subresource="status"))
        after = f"{after} {phase}"
    return Case(f"{name!r} {labels} {obj.get('spec')} then {after}", steps)


@family("objects without a namespace", weight=1)
def no_namespace(draw: Draw) -> Case:
    """Objects in a namespace that is not there, or in none."""
    resource = draw.random.choice(("configmaps", "serviceaccounts", "resourceclaims", "leases"))
    bodies: dict[str, Object] = {"resourceclaims": {"spec": {"devices": {}}}, "leases": {"spec": {}}}
    body = bodies.get(resource, {})
    obj: Object = {"metadata": {"name": draw.name}, **body}
    space = draw.random.choice((f"{draw.name}-missing", "kube-system", "default"))
    if draw.chance(0.3):
        obj["metadata"]["namespace"] = draw.random.choice(("default", "other", ""))
    return Case(
        f"{resource} {space} {obj['metadata']}",
        [create(resource, obj, space), get(resource, draw.name, space), delete(resource, draw.name, space)],
    )


_LEASE: Object = {
    "holderIdentity": "me",
    "leaseDurationSeconds": 15,
    "acquireTime": "2024-01-02T03:04:05.000000Z",
    "renewTime": "2024-01-02T03:04:05.123456Z",
    "leaseTransitions": 0,
}
_LEASE_TABLE: Table = {
    "spec": [{}],
    "spec.holderIdentity": ["you", ""],
    "spec.leaseDurationSeconds": values.INTEGERS,
    "spec.leaseTransitions": values.INTEGERS,
    "spec.acquireTime": ["2024-01-02T03:04:05.000001Z", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05.123456+01:00"],
    "spec.renewTime": values.TIMES,
    "spec.strategy": ("OldestEmulationVersion", "example.com/own", "Bad", ""),
    "spec.preferredHolder": ("you", ""),
}


@family("leases", weight=1)
def leases(draw: Draw) -> Case:
    """Leases with all fields."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _LEASE}
    changed, said = mutated(draw, example, _LEASE_TABLE)
    return written(draw, "leases", example, changed, said, namespace="default")


_EVENT: Object = {
    "involvedObject": {"kind": "Pod", "namespace": "default", "name": "a", "uid": "x", "apiVersion": "v1"},
    "reason": "Created",
    "message": "it is there",
    "type": "Normal",
    "source": {"component": "me", "host": "node-a"},
    "firstTimestamp": _ADDED,
    "lastTimestamp": _ADDED,
    "count": 1,
}
_EVENT_TABLE: Table = {
    "involvedObject": [{}, {"kind": "Node", "name": "a"}, {"kind": "Pod", "namespace": "other", "name": "a"}],
    "reason": ["x" * 200, ""],
    "message": ["x" * 2000],
    "type": ["Warning", "Other", ""],
    "count": values.INTEGERS,
    "eventTime": ["2024-01-02T03:04:05.000001Z", _ADDED],
    "firstTimestamp": values.TIMES,
    "reportingComponent": ["example.com/me"],
    "reportingInstance": ["me-0"],
    "action": ["Doing"],
}


@family("events", weight=1)
def events(draw: Draw) -> Case:
    """Events as drivers and controllers record them."""
    example: Object = {"metadata": {"name": draw.name}, **_EVENT}
    changed, said = mutated(draw, example, _EVENT_TABLE)
    return written(draw, "events", example, changed, said, namespace="default")


_NEWER_EVENT: Object = {
    "regarding": {"kind": "Pod", "namespace": "default", "name": "a", "uid": "x", "apiVersion": "v1"},
    "reason": "Created",
    "note": "it is there",
    "type": "Normal",
    "action": "Create",
    "eventTime": "2024-01-02T03:04:05.000001Z",
    "reportingController": "example.com/me",
    "reportingInstance": "me-0",
}
_NEWER_TABLE: Table = {
    "regarding": [{}, {"kind": "Node", "name": "a"}, {"kind": "Pod", "namespace": "other", "name": "a"}],
    "related": [{"kind": "Node", "name": "b"}],
    "reason": ["x" * 128, "x" * 129, "", "Other"],
    "note": ["x" * 1024, "x" * 1025, "ä" * 600, ""],
    "type": ["Warning", "Other", ""],
    "action": ["Other", "", "x" * 129],
    "eventTime": ["2024-01-02T03:04:06.000000Z", _ADDED],
    "reportingController": ["me", "", "a b"],
    "reportingInstance": ["x" * 129, ""],
    "series": [
        {"count": 2, "lastObservedTime": "2024-01-02T03:04:05.000001Z"},
        {"count": 1, "lastObservedTime": "2024-01-02T03:04:05.000001Z"},
        {"count": 2},
        {},
    ],
    "deprecatedSource": [{"component": "me"}, {}],
    "deprecatedFirstTimestamp": [_ADDED],
    "deprecatedLastTimestamp": [_ADDED],
    "deprecatedCount": [1, 0],
    "metadata.labels": [{"a": "b"}, {"a b": "c"}],
    "metadata.namespace": ["other"],
}


@family("newer events", weight=1)
def newer_events(draw: Draw) -> Case:
    """Events of events.k8s.io, made, and changed once more."""
    head = {"apiVersion": "events.k8s.io/v1", "kind": "Event"}
    example: Object = {**head, "metadata": {"name": draw.name}, **_NEWER_EVENT}
    changed, said = mutated(draw, example, _NEWER_TABLE)
    path = "/apis/events.k8s.io/v1/namespaces/default/events"
    first = changed if draw.chance(0.6) else example
    steps = [Request("POST", path, first), Request("GET", f"{path}/{draw.name}")]
    if first is example:
        steps += [Request("PUT", f"{path}/{draw.name}", changed), get("events", draw.name, "default")]
    return Case(f"{'made' if first is changed else 'changed'} {said}", steps)
