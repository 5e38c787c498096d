"""What messages of Kubernetes, and what is known of a node, tell about causes that lie outside of the driver."""

import re
from collections.abc import Mapping
from typing import Any

Object = Mapping[str, Any]

NO_HANDLER = "no handler registered for plugin type: DRAPlugin"
"""What a kubelet answers at registration that knows nothing of DRA."""
DRA_IS_OFF = "DRA is turned off in this kubelet: its feature gate DynamicResourceAllocation"
_MEANINGS = {
    NO_HANDLER: DRA_IS_OFF,
    r"DRA driver \S+ is not registered": (
        "its plugin is not running on this node, or not known to the kubelet: look at its pod there, at its socket in "
        "plugins_registry, and at the last NotifyRegistrationStatus in its log; until then its claims can be neither "
        "prepared nor unprepared"
    ),
    "unresolvable CDI devices": (
        "the runtime finds no CDI spec with them: compare the folder that the driver writes to with the runtime's own, "
        "by default /etc/cdi and /var/run/cdi"
    ),
    "could not find the requested resource": (
        "the API server does not serve the version of resource.k8s.io that was asked for: compare the versions of the "
        "API server, the kubelet and the driver"
    ),
}
_KUBELET = re.compile(r"v?1\.(\d+)\.(\d+)")
_LOSES_IDLE_DRIVERS = (34, 2)  # the kubelet that is right again
_FIRST_WITH_V1 = 34


def explained(text: str) -> str:
    """A message of Kubernetes, with the likely cause in brackets where one is known."""
    causes = [cause for pattern, cause in _MEANINGS.items() if re.search(pattern, text)]
    return f"{text} ({'; '.join(causes)})" if causes else text


def doubts(node: Object) -> list[str]:
    """What about a Node object's kubelet and runtime may get in the way of any driver, in words."""
    info = (node.get("status") or {}).get("nodeInfo") or {}
    kubelet, runtime = str(info.get("kubeletVersion", "")), str(info.get("containerRuntimeVersion", ""))
    found = []
    if version := _KUBELET.match(kubelet):
        minor, patch = int(version[1]), int(version[2])
        if minor < _FIRST_WITH_V1:
            found.append(f"kubelet {kubelet} is older than resource.k8s.io/v1, which came with 1.34")
        if (_FIRST_WITH_V1, 0) <= (minor, patch) < _LOSES_IDLE_DRIVERS:
            found.append(f"kubelet {kubelet} may stop calling drivers after half an hour of silence; 1.34.2 does not")
    if runtime.startswith("containerd://1."):
        found.append(f"{runtime} leaves CDI devices out unless its configuration has enable_cdi = true; 2.0 does not")
    if runtime.startswith("docker://"):
        found.append(f"{runtime} is reached by cri-dockerd, which may leave CDI devices out")
    return found
