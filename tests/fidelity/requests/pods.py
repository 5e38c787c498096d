"""Pods that use claims, wait at gates, are bound, and report what became of them."""

from typing import Any

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw, Ref, Request, create, delete, get, patch, update
from tests.fidelity.mutate import Table, grown, mutated, twice
from tests.fidelity.operations import draw_version
from tests.fidelity.registry import family

_POD: Object = {
    "restartPolicy": "Never",
    "serviceAccountName": "default",
    "automountServiceAccountToken": False,
    "containers": [
        {
            "name": "main",
            "image": "example.com/pause:1",
            "command": ["sleep", "60"],
            "env": [{"name": "A", "value": "b"}],
            "resources": {
                "requests": {"cpu": "100m"},
                "claims": [{"name": "gpu"}, {"name": "nic", "request": "port"}],
            },
        }
    ],
    "resourceClaims": [
        {"name": "gpu", "resourceClaimTemplateName": "single-gpu"},
        {"name": "nic", "resourceClaimName": "my-nic"},
    ],
    "tolerations": [{"key": "example.com/x", "operator": "Exists", "effect": "NoSchedule"}],
}
_POD_TABLE: Table = {
    "spec.resourceClaims": [[], twice, [{}], grown(3, "name")],
    "spec.resourceClaims.*": [
        {"name": "gpu"},
        {"name": "gpu", "resourceClaimName": "a", "resourceClaimTemplateName": "b"},
        {"name": "gpu", "resourceClaimName": "A_"},
        {"name": "gpu", "resourceClaimTemplateName": "a..b"},
        {"name": "other", "resourceClaimName": "a"},
    ],
    "spec.resourceClaims.*.name": values.DNS_LABELS,
    "spec.containers": [[]],
    "spec.containers.0.name": values.DNS_LABELS,
    "spec.containers.0.resources.claims": [
        [],
        [{"name": "gpu"}, {"name": "gpu"}],
        [{"name": "gpu"}, {"name": "gpu", "request": "a"}],
        [{"name": "gpu", "request": "a"}, {"name": "gpu", "request": "b"}],
        [{"name": "gpu", "request": "a"}, {"name": "gpu", "request": "a"}],
        [{"name": "missing"}],
        [{}],
    ],
    "spec.containers.0.resources.claims.*.request": values.DNS_LABELS,
    "spec.restartPolicy": ("Always", "OnFailure", "Sometimes"),
}


@family("pods", weight=3)
def pods(draw: Draw) -> Case:
    """Pods that use claims: the references, and which container uses which."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _POD}
    changed, said = mutated(draw, example, _POD_TABLE)
    if draw.chance(0.75):
        return Case(said, [create("pods", changed, "default"), get("pods", draw.name, "default")])
    last = update("pods", draw.name, draw_version(draw, changed), "default")
    return Case(f"update {said}", [create("pods", example, "default"), last, get("pods", draw.name, "default")])


@family("pod claims", weight=1)
def pod_claims(draw: Draw) -> Case:
    """The names of generated claims in the status of a pod."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _POD}
    rows = [{"name": "gpu", "resourceClaimName": f"{draw.name}-gpu"}]
    changed, said = mutated(
        draw,
        {"status": {"resourceClaimStatuses": rows, "phase": "Running"}},
        {
            "status.resourceClaimStatuses": [[], twice, [{"name": "gpu"}], [{"name": "other"}], [{}]],
            "status.resourceClaimStatuses.*.name": ("gpu", "nic", "missing", ""),
            "status.resourceClaimStatuses.*.resourceClaimName": ("a", "", "A_", None),
            "status.phase": ("Pending", "Succeeded"),
        },
    )
    kind = draw.random.choice(("merge", "strategic"))
    last = patch("pods", draw.name, changed, "default", kind=kind, subresource="status")
    return Case(f"{kind} {said}", [create("pods", example, "default"), last, get("pods", draw.name, "default")])


@family("bindings", weight=1)
def bindings(draw: Draw) -> Case:
    """A pod is bound to a node, twice perhaps."""
    pod: Object = {"metadata": {"name": draw.name}, "spec": _POD}
    node = draw.random.choice(("node-a", "node-b", "", "A_"))
    target = draw.random.choice(({"kind": "Node", "name": node}, {"kind": "Pod", "name": node}, {"name": node}))
    meta: Object = {}
    if draw.chance(0.2):
        meta["uid"] = draw.random.choice((values.UUIDS[0], Ref(0, "metadata.uid")))
    if draw.chance(0.2):
        meta |= draw.random.choice(({"labels": {"a": "b"}}, {"annotations": {"a": "b"}}, {"labels": {"a b": "c"}}))
    bind = _binding(draw.name, target, **meta)
    steps = [create("pods", pod, "default"), bind, get("pods", draw.name, "default")]
    if draw.chance(0.5):
        steps += [bind, delete("pods", draw.name, "default"), get("pods", draw.name, "default")]
    return Case(f"{target} {meta}", steps)


def _binding(name: str, target: Object, **meta: Any) -> Request:
    body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name, **meta}, "target": target}
    return Request("POST", f"/api/v1/namespaces/default/pods/{name}/binding", body)


_GATED: Object = {
    "containers": [{"name": "main", "image": "a"}],
    "schedulingGates": [{"name": "example.com/wait"}, {"name": "other"}],
    "nodeSelector": {"a": "b"},
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]
            }
        }
    },
}
_TERMS = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
_GATED_TABLE: Table = {
    "spec.schedulingGates": [[], [{"name": "other"}], [{"name": "new"}], twice],
    "spec.nodeName": ("node-a",),
    "spec.nodeSelector": [{}, {"a": "b", "c": "d"}, {"a": "c"}],
    "spec.affinity": [{}, {"podAffinity": {}}],
    _TERMS: [[], twice],
    f"{_TERMS}.0.matchExpressions": [[], [{"key": "b", "operator": "Exists"}], twice],
    "spec.tolerations": [[{"key": "a", "operator": "Exists"}]],
    "spec.containers.0.image": ("b", " b", ""),
    "spec.containers": [twice],
    "spec.activeDeadlineSeconds": (0, 1, -1),
    "spec.terminationGracePeriodSeconds": (1, 5),
    "metadata.labels": [{"a": "b"}],
}


@family("gated pods", weight=1)
def gated_pods(draw: Draw) -> Case:
    """Pods that wait at gates are changed, lose their gates, or are bound all the same."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _GATED}
    changed, said = mutated(draw, example, _GATED_TABLE)
    steps: list[Request] = [create("pods", example, "default")]
    if draw.chance(0.3):
        steps.append(patch("pods", draw.name, {"spec": {"schedulingGates": None}}, "default"))
        said = f"freed, then {said}"
    if draw.chance(0.3):
        steps.append(_binding(draw.name, {"kind": "Node", "name": "node-a"}))
    steps.append(update("pods", draw.name, draw_version(draw, changed), "default"))
    return Case(said, [*steps, get("pods", draw.name, "default")])
