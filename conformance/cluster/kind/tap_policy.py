"""The admission policy by which the driver's pods meet the tap's folder in the place of the kubelet's registry."""

import copy
from typing import Any

from conformance.cluster.api import Api, ApiError, Object
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.wait import wait_for

_LABEL = "dra-conformance-tap"
_REGISTRY = "/var/lib/kubelet/plugins_registry"
_NAME = "dra-conformance-tap"
_IN_FORCE = 30.0


def policy(shadow: str) -> list[Object]:
    """Policy and binding: host paths of the registry become the shadow folder, in namespaces with the label."""
    volume = "object.spec.volumes[i]"
    expression = (
        "lists.range(size(object.spec.volumes))"
        f".filter(i, has({volume}.hostPath) && ({volume}.hostPath.path + '/').startsWith('{_REGISTRY}/'))"
        f".map(i, JSONPatch{{op: 'replace', path: '/spec/volumes/' + string(i) + '/hostPath/path', value: '{shadow}'}})"
    )
    group: dict[str, Any] = {"apiVersion": "admissionregistration.k8s.io/v1"}
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    return [
        {
            **group,
            "kind": "MutatingAdmissionPolicy",
            "metadata": {"name": _NAME},
            "spec": {
                "matchConstraints": {
                    "resourceRules": [rule],
                    "namespaceSelector": {"matchLabels": {_LABEL: "on"}},
                },
                "matchConditions": [{"name": "has-volumes", "expression": "has(object.spec.volumes)"}],
                "failurePolicy": "Fail",
                "reinvocationPolicy": "Never",
                "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}],
            },
        },
        {
            **group,
            "kind": "MutatingAdmissionPolicyBinding",
            "metadata": {"name": _NAME},
            "spec": {"policyName": _NAME},
        },
    ]


def labelled(obj: Object) -> Object:
    """A Namespace with the label that puts the policy into force for it."""
    made = copy.deepcopy(obj)
    made["metadata"].setdefault("labels", {})[_LABEL] = "on"
    return made


def put_in_force(api: Api, namespaces: list[str], shadow: str) -> None:
    """Create the policy, label the namespaces, and wait until a pod there would be changed. Raises WaitTimeout."""
    applier = Applier(api)
    for obj in policy(shadow):
        applier.apply(obj)
    for name in namespaces:
        applier.apply(labelled({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}))
        wait_for(
            lambda name=name: _moves(api, name, shadow),  # type: ignore[misc]
            f"the tap's admission policy to be in force in namespace {name}",
            timeout=_IN_FORCE,
        )


def _moves(api: Api, namespace: str, shadow: str) -> bool:
    """Whether a pod would meet the shadow folder: tried without making one."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "tap-trial"},
        "spec": {
            "containers": [{"name": "trial", "image": "trial"}],
            "volumes": [{"name": "registry", "hostPath": {"path": _REGISTRY}}],
        },
    }
    try:
        made = api.request("POST", f"/api/v1/namespaces/{namespace}/pods", query={"dryRun": "All"}, body=pod)
    except ApiError:
        return False
    return any((volume.get("hostPath") or {}).get("path") == shadow for volume in made["spec"]["volumes"])
