"""The Node object of a node, and its boot id."""

import contextlib
import platform
import uuid
from pathlib import Path
from typing import Any

from conformance.cluster.api import AlreadyExists, Api
from conformance.cluster.kubelet.status import now

KUBELET_VERSION = "v1.37.2"
"""The kubelet whose behaviour is followed."""


def boot_id(root: Path) -> str:
    """The node's boot id: the content of its file `boot_id`, made at the first boot."""
    file = root / "boot_id"
    if not file.exists():
        return new_boot_id(root)
    return file.read_text(encoding="utf-8").strip()


def new_boot_id(root: Path) -> str:
    """Boot again: a new UUID in the file `boot_id`."""
    fresh = str(uuid.uuid4())
    scratch = root / ".boot_id"
    scratch.write_text(fresh + "\n", encoding="utf-8")
    scratch.replace(root / "boot_id")
    return fresh


def publish(api: Api, name: str, boot: str, port: int) -> None:
    """Create the Node object where there is none, and write its status; `port`: of the kubelet. Raises ApiError."""
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": _architecture()}
    with contextlib.suppress(AlreadyExists):
        api.create("nodes", {"metadata": {"name": name, "labels": labels}, "spec": {}})
    api.patch("nodes", name, {"status": _status(name, boot, port)}, subresource="status")


def _architecture() -> str:
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def _status(name: str, boot: str, port: int) -> dict[str, Any]:
    resources = {"cpu": "64", "memory": "256Gi", "pods": "1000"}
    at = now()
    ready = {
        "type": "Ready",
        "status": "True",
        "lastHeartbeatTime": at,  # there are no further ones, as nothing here asks for them
        "lastTransitionTime": at,
        "reason": "KubeletReady",
        "message": "kubelet is posting ready status",
    }
    return {
        "capacity": resources,
        "allocatable": resources,
        "conditions": [ready],
        "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}, {"type": "Hostname", "address": name}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        "nodeInfo": {
            "architecture": _architecture(),
            "bootID": boot,
            "containerRuntimeVersion": "dra-conformance://cdi-only",
            "kernelVersion": platform.release(),
            "kubeProxyVersion": "",
            "kubeletVersion": KUBELET_VERSION,
            "machineID": uuid.uuid5(uuid.NAMESPACE_DNS, name).hex,
            "operatingSystem": "linux",
            "osImage": "dra-conformance",
            "systemUUID": str(uuid.uuid5(uuid.NAMESPACE_DNS, name)),
        },
    }
