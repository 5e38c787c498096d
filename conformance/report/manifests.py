"""Objects of the history as kubectl commands: as somebody would write them, without what a server adds."""

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.images import NOT_RUN, PAUSE
from conformance.report.objects import as_yaml

MANAGER = "dra-conformance"
NAMESPACE_PREFIX = "dra-"
_MADE = ("namespaces", "pods", "resourceclaims", "resourceclaimtemplates", "deviceclasses", "devicetaintrules")
_BY_SERVER = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
    "finalizers",
    "selfLink",
)
_ANY = object()  # whatever the value is, the pod's author did not write it
_POD_DEFAULTS: Mapping[str, Any] = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
    "enableServiceLinks": True,
    "priority": 0,
    "preemptionPolicy": "PreemptLowerPriority",
    "serviceAccountName": "default",
    "serviceAccount": "default",
    "nodeName": _ANY,
}
_CONTAINER_DEFAULTS: Mapping[str, Any] = {
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "imagePullPolicy": _ANY,
}


def is_ours(obj: Mapping[str, Any], resource: str) -> bool:
    """Whether the suite itself made it, and neither the driver nor a controller.

    Histories of real control planes do not have who wrote what; there it is what checks make, in their namespaces.
    """
    metadata = obj["metadata"]
    if metadata.get("ownerReferences"):
        return False
    if "managedFields" in metadata:
        return any(
            entry.get("manager") == MANAGER and not entry.get("subresource") for entry in metadata["managedFields"]
        )
    place = metadata.get("name") if resource == "namespaces" else metadata.get("namespace")
    return resource in _MADE and (not place or str(place).startswith(NAMESPACE_PREFIX))


def created(obj: Mapping[str, Any], resource: str) -> str:
    """The command that makes it."""
    if resource == "namespaces" and "labels" not in cleaned(obj)["metadata"]:
        return f"kubectl create namespace {quoted(obj['metadata'].get('name'))}"
    text = as_yaml(cleaned(obj)).rstrip()
    return f"kubectl apply -f - {heredoc(text)}"


def changed(before: Mapping[str, Any], obj: Mapping[str, Any], resource: str) -> Iterator[str]:
    """The command of a change that the suite made: of a claim's status, or of what a manifest holds.

    Pods change by themselves: whoever binds and runs them writes into them.
    """
    metadata = obj["metadata"]
    if resource == "resourceclaims" and _wrote_status(before, obj) and before.get("status") != obj.get("status"):
        patch = shlex.quote(json.dumps({"status": obj.get("status")}))
        name = quoted(metadata.get("name"))
        yield f"kubectl{inside(metadata)} patch resourceclaim {name} --subresource=status --type=merge -p {patch}"
    elif resource != "pods" and cleaned(before) != cleaned(obj):
        yield created(obj, resource)


def deleted(obj: Mapping[str, Any], resource: str) -> str:
    """The command that removes it."""
    return f"kubectl{inside(obj['metadata'])} delete {resource} {quoted(obj['metadata'].get('name'))}"


def cleaned(obj: Mapping[str, Any]) -> dict[str, Any]:
    """The object without status, what the server adds and what the namespace controller does."""
    metadata = {key: value for key, value in obj["metadata"].items() if key not in _BY_SERVER}
    if set(metadata.get("labels") or ()) == {"kubernetes.io/metadata.name"}:
        del metadata["labels"]
    own = {key: value for key, value in obj.items() if key not in ("apiVersion", "kind", "metadata", "status")}
    if obj.get("kind") == "Namespace":
        own.pop("spec", None)
    if obj.get("kind") == "Pod":
        own["spec"] = _pod(own.get("spec") or {})
    return {"apiVersion": obj.get("apiVersion", ""), "kind": obj.get("kind", ""), "metadata": metadata, **own}


def inside(metadata: Mapping[str, Any]) -> str:
    """The option that names the object's namespace; empty for what is in none."""
    return f" -n {quoted(metadata['namespace'])}" if metadata.get("namespace") else ""


def heredoc(text: str, *, literal: bool = True) -> str:
    """The text as input of a command; a shell leaves it alone when it is literal."""
    end = "EOF"
    while end in text:
        end += "_"
    mark = f"'{end}'" if literal else end
    return f"<<{mark}\n{text}\n{end}"


def quoted(word: object) -> str:
    """A word that a shell takes as it is."""
    return shlex.quote(str(word))


def _pod(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A pod's spec without defaults, and without what admission and the scheduler fill in."""
    kept = _without(spec, _POD_DEFAULTS)
    tolerations = [t for t in kept.pop("tolerations", ()) if not t.get("key", "").startswith("node.kubernetes.io/")]
    if tolerations:
        kept["tolerations"] = tolerations
    volumes = [volume for volume in kept.pop("volumes", ()) if not _is_token(volume)]
    if volumes:
        kept["volumes"] = volumes
    for key in ("containers", "initContainers"):
        if key in kept:
            kept[key] = [_container(container) for container in kept[key]]
    return kept


def _container(container: Mapping[str, Any]) -> dict[str, Any]:
    kept = _without(container, _CONTAINER_DEFAULTS)
    mounts = [mount for mount in kept.pop("volumeMounts", ()) if not _is_token(mount)]
    if mounts:
        kept["volumeMounts"] = mounts
    if kept.get("image") == NOT_RUN:
        kept["image"] = PAUSE
    return kept


def _is_token(volume: Mapping[str, Any]) -> bool:
    """Whether it is the volume of the service account's token, which admission adds."""
    return str(volume.get("name")).startswith("kube-api-access-")


def _without(value: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key not in defaults or defaults[key] not in (item, _ANY)}


def _wrote_status(before: Mapping[str, Any], obj: Mapping[str, Any]) -> bool:
    """Whether the suite wrote the claim's status: the scheduler allocates and reserves at one stroke."""
    if "managedFields" in obj["metadata"]:
        entries = obj["metadata"]["managedFields"]
        return any(entry.get("manager") == MANAGER and entry.get("subresource") == "status" for entry in entries)
    old, new = before.get("status") or {}, obj.get("status") or {}
    return "allocation" in new and "allocation" not in old and not new.get("reservedFor")
