"""Which of the objects that are installed run the driver, and how its pods reach the kubelet's registration folder."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from conformance.cluster.api import Object
from conformance.verdict import Inconclusive

REGISTRY = PurePosixPath("/var/lib/kubelet/plugins_registry")
COVER = "dra-conformance-tap"
"""Name of the volume that the tap's folder is in a pod that has a folder above the registry mounted."""
_NOWHERE = "dra-conformance/nowhere"
_WITH_TEMPLATE = ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")


def pod_templates(objects: Sequence[Object]) -> Iterator[Any]:
    """Workloads that make pods of a template, in order."""
    return (obj for obj in objects if obj["kind"] in _WITH_TEMPLATE)


def namespaces_of(objects: Sequence[Object]) -> list[str]:
    """Namespaces that workloads are in, sorted."""
    kinds = (*_WITH_TEMPLATE, "Pod")
    return sorted({obj["metadata"].get("namespace", "default") for obj in objects if obj["kind"] in kinds})


def driver_container(
    spec: Mapping[str, Any], folders: Sequence[PurePosixPath] = (REGISTRY,), *, above: bool = True
) -> str:
    """Name of the first container of a pod that has one of the folders mounted, or one above it; "" for none.

    Without `above` only those count that have the folder itself mounted by their own wish: pods that look after the
    node, such as exporters of metrics, mount all of it, too.
    """
    for container in spec.get("containers") or ():
        for mount, path in _host_mounts(spec, container):
            whole = any(folder.is_relative_to(path) and not mount.get("subPath") for folder in folders)
            itself = any(path.is_relative_to(folder) for folder in folders) and mount["name"] != COVER
            if itself or (above and whole):
                return str(container["name"])
    return ""


def without_pods(obj: Object) -> Object:
    """The change of a workload by which it has no pods."""
    if obj["kind"] != "DaemonSet":
        return {"spec": {"replicas": 0}}
    return {"spec": {"template": {"spec": {"nodeSelector": {_NOWHERE: "nowhere"}}}}}


def with_pods(obj: Object) -> Object:
    """The change that takes it back; `obj` is the workload as it was."""
    if obj["kind"] != "DaemonSet":
        return {"spec": {"replicas": obj["spec"].get("replicas", 1)}}
    return {"spec": {"template": {"spec": {"nodeSelector": {_NOWHERE: None}}}}}


def require_tappable(objects: Sequence[Object]) -> None:
    """Raises Inconclusive when the registration folder of a driver's pods cannot be moved to where the tap looks."""
    for obj in pod_templates(objects):
        spec = obj["spec"]["template"]["spec"]
        for container in spec.get("containers") or ():
            for mount, path in _host_mounts(spec, container):
                reason = _why_not(mount) if path != REGISTRY and REGISTRY.is_relative_to(path) else ""
                if reason:
                    raise Inconclusive(
                        f"{obj['kind']} {obj['metadata']['name']} mounts {path} of the node {reason}, so the suite "
                        f"cannot come between kubelet and driver; mount {REGISTRY} on its own"
                    )


def _host_mounts(spec: Mapping[str, Any], container: Mapping[str, Any]) -> Iterator[tuple[Object, PurePosixPath]]:
    """Mounts of a container, and the path of the node that each one's volume is."""
    volumes = {volume["name"]: (volume.get("hostPath") or {}).get("path") for volume in spec.get("volumes") or ()}
    for mount in container.get("volumeMounts") or ():
        if path := volumes.get(mount["name"]):
            yield mount, PurePosixPath(path)


def _why_not(mount: Mapping[str, Any]) -> str:
    if mount.get("mountPropagation") == "Bidirectional":
        return "with mountPropagation Bidirectional"  # what is mounted below it would be mounted on the node, too
    return "by a subPath" if mount.get("subPath") or mount.get("subPathExpr") else ""
