"""Writing a placement down: finalizer, allocation and reservation of the claims, then the pod's node.

Source: bindClaim and PreBind of the DynamicResources plugin.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from conformance.cluster.embedded.apiserver.objects import timestamp
from conformance.cluster.embedded.scheduler.model import Json, results_of
from conformance.cluster.embedded.scheduler.podclaims import NotYet, reservation, reserved_for

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store

FINALIZER = "resource.kubernetes.io/delete-protection"


class BindingFailed(Exception):
    """A device cannot be made ready for the pod. The text is Kubernetes'."""


def bind_claim(store: "Store", pod: Json, claim: Json, allocation: Mapping[str, Any] | None) -> dict[str, Any]:
    """Allocate the claim, if `allocation` is given, and reserve it for the pod.

    Raises ApiError or NotYet when that is no longer possible, as somebody else has changed or replaced it.
    """
    name, namespace = claim["metadata"]["name"], claim["metadata"]["namespace"]
    if allocation is not None:
        store.modify("resourceclaims", name, namespace, _add_finalizer)

    def reserve(obj: dict[str, Any]) -> None:
        if obj["metadata"]["uid"] != claim["metadata"]["uid"]:
            raise NotYet(f"claim {namespace}/{name} was replaced")
        status = obj.setdefault("status", {})
        if allocation is not None:
            status["allocation"] = {**allocation, "allocationTimestamp": timestamp()}
        if not reserved_for(obj, pod):
            status.setdefault("reservedFor", []).append(reservation(pod))

    return store.modify("resourceclaims", name, namespace, reserve, status=True)


def _add_finalizer(obj: dict[str, Any]) -> None:
    finalizers = obj["metadata"].setdefault("finalizers", [])
    if FINALIZER not in finalizers:
        finalizers.append(FINALIZER)


def release(store: "Store", claim: Json) -> None:
    """Deallocate a claim that no node can use. Raises ApiError when it has changed."""

    def clear(obj: dict[str, Any]) -> None:
        for field in ("allocation", "reservedFor", "devices"):
            obj.get("status", {}).pop(field, None)

    store.modify("resourceclaims", claim["metadata"]["name"], claim["metadata"]["namespace"], clear, status=True)


def ready(claims: Sequence[Json], timeout: float) -> bool:
    """Whether all binding conditions of the allocated devices are true.

    Raises BindingFailed when a failure condition is true, or `timeout` seconds have passed since the allocation.
    """
    waiting = False
    for claim in claims:
        for result in results_of(claim):
            conditions = _conditions(claim, result)
            if any(conditions.get(name) == "True" for name in result.get("bindingFailureConditions") or ()):
                raise BindingFailed("device binding failed")
            waiting |= any(conditions.get(name) != "True" for name in result.get("bindingConditions") or ())
    if waiting and any(age(claim) > timeout for claim in claims):
        raise BindingFailed("device binding timeout")
    return not waiting


def age(claim: Json) -> float:
    """Seconds since the claim was allocated."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    when = allocation.get("allocationTimestamp")
    if not when:
        return 0.0
    return (datetime.now(UTC) - datetime.fromisoformat(when.replace("Z", "+00:00"))).total_seconds()


def _conditions(claim: Json, result: Json) -> dict[str, str]:
    def key(row: Json) -> tuple[Any, ...]:
        return row["driver"], row["pool"], row["device"], row.get("shareID")

    for device in (claim.get("status") or {}).get("devices") or ():
        if key(device) == key(result):
            return {row["type"]: row["status"] for row in device.get("conditions") or ()}
    return {}
