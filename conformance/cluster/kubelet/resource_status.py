"""Health of a pod's devices as its status shows it: allocatedResourcesStatus of each container (manager.go)."""

from collections.abc import Iterator
from typing import Any

from conformance.cluster.kubelet.checkpoint import ClaimInfo
from conformance.cluster.kubelet.dra import DraManager
from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.podclaims import claim_of_entry

Object = dict[str, Any]


def allocated_resources(pod: Object, dra: DraManager, book: HealthBook) -> dict[str, list[Object]]:
    """By container name; only containers that use claims with devices."""
    claims = {(info.namespace, info.name): info for info in dra.claims()}
    found = {}
    for container in pod["spec"]["containers"]:
        rows = []
        for used in (container.get("resources") or {}).get("claims") or ():
            info = claims.get((pod["metadata"]["namespace"], claim_of_entry(pod, used["name"]) or ""))
            request = used.get("request") or ""
            devices = list(_devices(info, request, book)) if info else []
            if devices:
                name = f"claim:{used['name']}/{request}" if request else f"claim:{used['name']}"
                rows.append({"name": name, "resources": devices})
        if rows:
            found[container["name"]] = rows
    return found


def _devices(info: ClaimInfo, request: str, book: HealthBook) -> Iterator[Object]:
    seen = set()
    for driver, devices in info.drivers.items():
        for device in devices:
            if request and device.request_names and request.partition("/")[0] not in device.request_names:
                continue
            ids = device.cdi_device_ids
            resource_id = ids[0] if ids else f"{driver}/{device.pool_name}/{device.device_name}"
            if resource_id not in seen:
                seen.add(resource_id)
                health = book.get(driver, device.pool_name, device.device_name)
                message = {"message": health.message} if health.message else {}
                yield {"resourceID": resource_id, "health": health.status, **message}
