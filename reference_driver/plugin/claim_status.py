"""Reports on allocated devices: entries of `status.devices` of a claim, by server-side apply.

Only what was reported before under the same `manager` is replaced, so that parts of a driver do not undo each other.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .claims import AllocatedDevice, ClaimRef
from .kube import KubeClient

Entry = dict[str, Any]


class ClaimStatus:
    """Writes what one part of a driver (`manager`) has to say about the devices of claims."""

    def __init__(self, client: KubeClient, driver: str, manager: str) -> None:
        self._client = client
        self._driver = driver
        self._manager = f"{driver}/{manager}"

    def entry(self, device: AllocatedDevice, **facts: Any) -> Entry:
        """The entry of a device; `facts` are its other fields, such as conditions, data and networkData."""
        share = {"shareID": device.share_id} if device.share_id else {}
        return {"driver": self._driver, "pool": device.pool, "device": device.device, **share, **facts}

    def write(self, ref: ClaimRef, entries: Sequence[Entry]) -> None:
        """Make these the entries of this part, if the claim still has that UID. Raises KubeError."""
        path = self._client.resource_path("resourceclaims", ref.name, ref.namespace)
        obj = {
            "apiVersion": "resource.k8s.io/" + path.split("/")[3],
            "kind": "ResourceClaim",
            "metadata": {"name": ref.name, "namespace": ref.namespace, "uid": ref.uid},
            "status": {"devices": list(entries)},
        }
        self._client.apply(f"{path}/status", obj, self._manager)


def conditions(entry: Mapping[str, Any]) -> Mapping[str, str]:
    """The conditions of an entry of status.devices: type to status."""
    return {row["type"]: row["status"] for row in entry.get("conditions") or ()}


def entry_of(devices: Iterable[Mapping[str, Any]], driver: str, device: AllocatedDevice) -> Mapping[str, Any]:
    """The entry about a device; empty while there is none."""
    wanted = (driver, device.pool, device.device, device.share_id)
    found = (row for row in devices if (row["driver"], row["pool"], row["device"], row.get("shareID")) == wanted)
    return next(found, {})
