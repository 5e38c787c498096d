"""Taking a node, or a driver, out of a cluster that goes on: its pods first, as long as there is somebody to let go."""

from collections.abc import Callable
from contextlib import suppress

from conformance.cluster.api import Api, NotFound, Object
from conformance.cluster.wait import wait_for
from conformance.verdict import WaitTimeout

_PATIENCE = 15.0  # seconds for drivers to unprepare the claims of pods


def delete_pods_on(api: Api, node: str) -> None:
    """Delete the pods on a node and wait until they are gone; those that stay are forced out. Raises ApiError."""
    _delete(api, f"pods of node {node}", lambda: api.list("pods", field_selector=f"spec.nodeName={node}")["items"])


def delete_users_of(api: Api, driver: str) -> None:
    """Delete pods that use devices of a driver, as `delete_pods_on` does. Raises ApiError."""

    def users() -> list[Object]:
        claims = [item for item in api.list("resourceclaims")["items"] if _has_devices_of(driver, item)]
        uids = {entry["uid"] for claim in claims for entry in claim["status"].get("reservedFor") or ()}
        return [pod for pod in api.list("pods")["items"] if pod["metadata"]["uid"] in uids]

    _delete(api, f"pods with devices of {driver}", users)


def delete_slices(api: Api, selector: str) -> None:
    """Delete the ResourceSlices that a field selector finds. Raises ApiError."""
    api.delete_collection("resourceslices", field_selector=selector)


def delete_node(api: Api, name: str) -> None:
    """Delete a Node object, and the node's slices at once, for which garbage collection takes its time."""
    with suppress(NotFound):
        api.delete("nodes", name)
    delete_slices(api, f"spec.nodeName={name}")


def _delete(api: Api, what: str, pods: Callable[[], list[Object]]) -> None:
    def gone() -> bool:
        found = pods()
        for pod in found:
            if not pod["metadata"].get("deletionTimestamp"):
                _delete_pod(api, pod, None)
        return not found

    try:
        wait_for(gone, f"{what} to be gone", timeout=_PATIENCE)
    except WaitTimeout:
        for pod in pods():
            _delete_pod(api, pod, 0)


def _delete_pod(api: Api, pod: Object, grace: int | None) -> None:
    meta = pod["metadata"]
    with suppress(NotFound):
        api.delete("pods", meta["name"], meta["namespace"], grace_period_seconds=grace)


def _has_devices_of(driver: str, claim: Object) -> bool:
    allocation = (claim.get("status") or {}).get("allocation") or {}
    return any(result["driver"] == driver for result in (allocation.get("devices") or {}).get("results") or ())
