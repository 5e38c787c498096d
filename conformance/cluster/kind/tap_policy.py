"""The admission policy by which the driver's pods meet the tap's folder in the place of the kubelet's registry."""

import re
from contextlib import suppress
from typing import Any

from conformance.cluster.api import Api, ApiError, NotFound, Object
from conformance.cluster.kind.manifests import Applier
from conformance.cluster.kind.workloads import COVER, REGISTRY
from conformance.cluster.wait import wait_for
from conformance.verdict import Inconclusive

_LABEL = "dra-conformance-tap"
LABELS = {_LABEL: "on"}
"""Of the namespaces that the policy is in force in."""
_NAME = "dra-conformance-tap"
_GROUP = "admissionregistration.k8s.io"
_VERSIONS = ("v1", "v1beta1")  # since Kubernetes 1.36 and 1.34
_LISTS_SINCE = 35  # minor version
_IN_FORCE = 30.0
_WITHOUT_SLASH = "({0}.endsWith('/') ? {0}.substring(0, size({0}) - 1) : {0})"


def policy(shadow: str, version: str = _VERSIONS[0]) -> list[Object]:
    """Policy and binding: in namespaces with the label pods meet the shadow folder where the registry would be.

    `version`: that of admissionregistration.k8s.io, v1 or v1beta1. A host path that is the registry becomes the shadow
    folder. Where one above it is mounted, such as the kubelet's whole folder, the shadow folder is mounted over the
    registry in it.
    """
    group: dict[str, Any] = {"apiVersion": f"{_GROUP}/{version}"}
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
    lists = ("containers", "initContainers")
    patches = [_moved(shadow), *(_covered(name) for name in lists), _volume(shadow, lists)]
    return [
        {
            **group,
            "kind": "MutatingAdmissionPolicy",
            "metadata": {"name": _NAME},
            "spec": {
                "matchConstraints": {
                    "resourceRules": [rule],
                    "namespaceSelector": {"matchLabels": LABELS},
                },
                "matchConditions": [{"name": "has-volumes", "expression": "has(object.spec.volumes)"}],
                "variables": [
                    {"name": "above", "expression": _above()},
                    *({"name": name, "expression": _places(name)} for name in lists),
                ],
                "failurePolicy": "Fail",
                "reinvocationPolicy": "Never",
                "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": " + ".join(patches)}}],
            },
        },
        {
            **group,
            "kind": "MutatingAdmissionPolicyBinding",
            "metadata": {"name": _NAME},
            "spec": {"policyName": _NAME},
        },
    ]


def _moved(shadow: str) -> str:
    """Patches of the volumes that are the registry."""
    volume = "object.spec.volumes[i]"
    return (
        "lists.range(size(object.spec.volumes))"
        f".filter(i, has({volume}.hostPath) && ({volume}.hostPath.path + '/').startsWith('{REGISTRY}/'))"
        f".map(i, JSONPatch{{op: 'replace', path: '/spec/volumes/' + string(i) + '/hostPath/path', value: '{shadow}'}})"
    )


def _above() -> str:
    """The volumes that are folders above the registry."""
    path = _WITHOUT_SLASH.format("v.hostPath.path")
    return f"object.spec.volumes.filter(v, has(v.hostPath) && '{REGISTRY}'.startsWith({path} + '/'))"


def _places(containers: str) -> str:
    """Where those volumes show the registry in containers: pairs of a container's index and a path in it."""
    path, at = _WITHOUT_SLASH.format("v.hostPath.path"), _WITHOUT_SLASH.format("m.mountPath")
    place = f"{at} + '{REGISTRY}'.substring(size({path}))"
    return (
        f"lists.range(size(object.spec.?{containers}.orValue([]))).map(i, variables.above.map(v, "
        f"object.spec.{containers}[i].?volumeMounts.orValue([]).filter(m, m.name == v.name "
        f"&& !has(m.subPath) && !has(m.subPathExpr) && m.?mountPropagation.orValue('') != 'Bidirectional' "
        f"&& !object.spec.{containers}[i].volumeMounts.exists(other, other.mountPath == {place}))"
        f".map(m, [string(i), {place}]))).flatten().flatten()"
    )


def _covered(containers: str) -> str:
    """Patches that mount the shadow folder there."""
    mount = f"Object.spec.{containers}.volumeMounts{{name: '{COVER}', mountPath: place[1]}}"
    path = f"'/spec/{containers}/' + place[0] + '/volumeMounts/-'"
    return f"variables.{containers}.map(place, JSONPatch{{op: 'add', path: {path}, value: {mount}}})"


def _volume(shadow: str, lists: tuple[str, ...]) -> str:
    """The patch that adds the shadow folder as a volume, where a container mounts it."""
    needed = " + ".join(f"size(variables.{name})" for name in lists)
    value = f"Object.spec.volumes{{name: '{COVER}', hostPath: Object.spec.volumes.hostPath{{path: '{shadow}'}}}}"
    return f"({needed} > 0 ? [JSONPatch{{op: 'add', path: '/spec/volumes/-', value: {value}}}] : [])"


def put_in_force(api: Api, namespaces: list[str], shadow: str) -> None:
    """Create the policy, and wait until a pod in these labelled namespaces would be changed.

    Raises WaitTimeout, and Inconclusive where the API server has no such policies.
    """
    applier = Applier(api)
    for obj in policy(shadow, _served(api)):
        applier.apply(obj)
    for name in namespaces:
        wait_for(
            lambda name=name: _moves(api, name, shadow),  # type: ignore[misc]
            f"the tap's admission policy to be in force in namespace {name}",
            timeout=_IN_FORCE,
        )


def _served(api: Api) -> str:
    """The version in which the API server has mutating admission policies. Raises Inconclusive."""
    for version in _VERSIONS:
        with suppress(NotFound):
            rows = api.request("GET", f"/apis/{_GROUP}/{version}")["resources"]
            if _can_compile(api) and any(row["kind"] == "MutatingAdmissionPolicy" for row in rows):
                return version
    raise Inconclusive(
        "the admission policy that puts the tap between kubelet and driver needs Kubernetes 1.35: "
        "take that or a newer one, or --conformance-no-tap"
    )


def _can_compile(api: Api) -> bool:
    """Whether the API server's CEL has the functions on lists that the policy uses."""
    minor = re.match(r"\d+", str(api.request("GET", "/version")["minor"]))
    return minor is not None and int(minor[0]) >= _LISTS_SINCE


def _moves(api: Api, namespace: str, shadow: str) -> bool:
    """Whether a pod would meet the shadow folder: tried without making one."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "tap-trial"},
        "spec": {
            "containers": [{"name": "trial", "image": "trial"}],
            "volumes": [{"name": "registry", "hostPath": {"path": str(REGISTRY)}}],
        },
    }
    try:
        made = api.request("POST", f"/api/v1/namespaces/{namespace}/pods", query={"dryRun": "All"}, body=pod)
    except ApiError:
        return False
    return any((volume.get("hostPath") or {}).get("path") == shadow for volume in made["spec"]["volumes"])
