"""What kubelets, schedulers and controllers write into the status of pods."""

from conformance.cluster.api import Object
from tests.fidelity import values
from tests.fidelity.model import Case, Draw, create, get, patch, update
from tests.fidelity.mutate import Table, mutated, twice
from tests.fidelity.registry import family

_WHEN = "2024-01-02T03:04:05Z"
_SPEC: Object = {
    "restartPolicy": "Never",
    "initContainers": [{"name": "first", "image": "a"}],
    "containers": [
        {
            "name": "main",
            "image": "a",
            "resources": {
                "limits": {"example.com/gpu": "1"},
                "claims": [{"name": "gpu"}, {"name": "nic", "request": "port"}],
            },
        }
    ],
    "resourceClaims": [
        {"name": "gpu", "resourceClaimTemplateName": "single-gpu"},
        {"name": "nic", "resourceClaimName": "my-nic"},
    ],
}
_CONTAINER: Object = {
    "name": "main",
    "image": "a",
    "imageID": "x",
    "containerID": "containerd://1",
    "ready": False,
    "started": False,
    "restartCount": 0,
    "state": {"terminated": {"exitCode": 1, "reason": "Error", "startedAt": _WHEN, "finishedAt": _WHEN}},
    "allocatedResourcesStatus": [
        {"name": "claim:gpu", "resources": [{"resourceID": "example.com/gpu=0", "health": "Healthy"}]},
        {"name": "example.com/gpu", "resources": [{"resourceID": "1", "health": "Unknown", "message": "who knows"}]},
    ],
}
_STATUS: Object = {
    "phase": "Running",
    "conditions": [
        {"type": "Ready", "status": "True", "lastTransitionTime": _WHEN, "observedGeneration": 1},
        {"type": "example.com/ok", "status": "False", "reason": "No", "message": "not yet"},
    ],
    "podIP": "10.0.0.7",
    "podIPs": [{"ip": "10.0.0.7"}],
    "hostIP": "10.1.0.1",
    "hostIPs": [{"ip": "10.1.0.1"}],
    "startTime": _WHEN,
    "observedGeneration": 1,
    "containerStatuses": [_CONTAINER],
    "initContainerStatuses": [{**_CONTAINER, "name": "first", "allocatedResourcesStatus": []}],
    "resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "pod-gpu-x7k2p"}],
    "extendedResourceClaimStatus": {
        "resourceClaimName": "pod-extended-resources-abcde",
        "requestMappings": [
            {"containerName": "main", "resourceName": "example.com/gpu", "requestName": "container-0-request-0"}
        ],
    },
}
_ROW = "status.containerStatuses.0.allocatedResourcesStatus"
_TABLE: Table = {
    "status": [{}],
    "status.phase": ("Pending", "Succeeded", "Failed", "Odd", ""),
    "status.reason": ("Evicted",),
    "status.qosClass": ("Guaranteed", "BestEffort", "Burstable", ""),
    "status.nominatedNodeName": ("node-a", "A_", ""),
    "status.observedGeneration": (0, 2, -1),
    "status.conditions": [[], twice, [{}]],
    "status.conditions.*.type": ("Ready", "PodScheduled", "a b", "A", ""),
    "status.conditions.*.status": ("True", "Odd", ""),
    "status.conditions.*.observedGeneration": (0, 3, -1),
    "status.conditions.*.lastProbeTime": values.TIMES,
    "status.podIP": ("10.0.0.8", "fd00::1", "x", ""),
    "status.podIPs": [
        [],
        [{"ip": "10.0.0.8"}],
        [{"ip": "10.0.0.7"}, {"ip": "fd00::1"}],
        [{"ip": "10.0.0.7"}, {"ip": "10.0.0.8"}],
        [{"ip": "x"}],
        [{}],
    ],
    "status.podIPs.*.ip": ("10.0.0.8", "x", "10.0.0.07", "::ffff:1.2.3.4", ""),
    "status.hostIP": ("10.1.0.2", "x", ""),
    "status.hostIPs": [[], [{"ip": "10.1.0.2"}], [{"ip": "10.1.0.1"}, {"ip": "fd00::1"}], [{"ip": "x"}]],
    "status.startTime": values.TIMES,
    "status.containerStatuses": [[], twice, [{}]],
    "status.containerStatuses.0.name": ("main", "missing", ""),
    "status.containerStatuses.0.state": [{"running": {"startedAt": _WHEN}}, {"waiting": {"reason": "x"}}, {}],
    "status.containerStatuses.0.user": [{"linux": {"uid": 1, "gid": 1}}, {"linux": {"uid": -1, "gid": 1}}],
    _ROW: [[], twice, [{}], [{"name": "claim:gpu"}]],
    f"{_ROW}.*.name": (
        *("claim:gpu", "claim:nic", "claim:nic/port", "claim:gpu/a", "claim:missing", "claim:", "cpu", ""),
        "claim:pod-extended-resources-abcde/container-0-request-0",
    ),
    f"{_ROW}.*.resources": [[], twice, [{}]],
    f"{_ROW}.*.resources.*.health": ("Healthy", "Unhealthy", "Unknown", "Bad", ""),
    f"{_ROW}.*.resources.*.resourceID": ("x", ""),
    f"{_ROW}.*.resources.*.message": ("", "m" * 1024, "m" * 1025),
    "status.initContainerStatuses.0.allocatedResourcesStatus": [[{"name": "claim:gpu"}]],
    "status.resourceClaimStatuses": [[], twice, [{"name": "gpu"}], [{"name": "other"}], [{}]],
    "status.resourceClaimStatuses.*.resourceClaimName": ("a", "", "A_"),
    "status.extendedResourceClaimStatus": [{}],
    "status.extendedResourceClaimStatus.resourceClaimName": ("a", "", "A_"),
    "status.extendedResourceClaimStatus.requestMappings": [[], twice, [{}]],
    "status.extendedResourceClaimStatus.requestMappings.0.containerName": ("first", "missing", ""),
    "status.extendedResourceClaimStatus.requestMappings.0.resourceName": ("example.com/other", ""),
    "status.extendedResourceClaimStatus.requestMappings.0.requestName": ("a.b", ""),
    "spec.nodeName": ("node-a",),
    "metadata.labels": [{"a": "b"}],
    "metadata.ownerReferences": [[]],
}


@family("pod status", weight=3)
def pod_status(draw: Draw) -> Case:
    """A status is written into a pod that has none, and another one over it."""
    example: Object = {"metadata": {"name": draw.name}, "spec": _SPEC}
    changed, said = mutated(draw, {**example, "status": _STATUS}, _TABLE)
    steps = [create("pods", example, "default")]
    if draw.chance(0.6):
        steps.append(patch("pods", draw.name, {"status": _STATUS}, "default", subresource="status"))
    kind = draw.random.choice(("update", "merge", "strategic"))
    if kind == "update":
        steps.append(update("pods", draw.name, changed, "default", subresource="status"))
    else:
        body = {"status": changed.get("status")}
        steps.append(patch("pods", draw.name, body, "default", kind=kind, subresource="status"))
    return Case(f"{kind} {said}", [*steps, get("pods", draw.name, "default")])
