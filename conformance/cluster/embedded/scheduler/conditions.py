"""Binding conditions: whether the devices of a claim are ready for a pod to be bound.

Source: isPodReadyForBinding, isClaimReadyForBinding and isClaimTimeout of the DynamicResources plugin.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from conformance.cluster.embedded.scheduler.model import Json, results_of

BINDING_TIMEOUT = 600.0


class BindingFailed(Exception):
    """A placement cannot be written down, or a device cannot be made ready for the pod. The text is Kubernetes'."""


def ready(claims: Sequence[Json], timeout: float) -> bool:
    """Whether all binding conditions of the allocated devices are true.

    Raises BindingFailed when a failure condition is true, or `timeout` seconds have passed since the allocation.
    """
    for claim in claims:
        if not _claim_ready(claim):
            if _too_late(claim, timeout):
                raise BindingFailed(f"device binding timeout: claim={claim['metadata']['name']}")
            return False
    return True


def usable(claim: Json, timeout: float) -> bool:
    """Whether an allocated claim is ready, or may still become so."""
    try:
        ready([claim], timeout)
    except BindingFailed:
        return False
    return True


def seconds_left(claims: Sequence[Json], timeout: float) -> float:
    """Seconds until the first of the claims has been waited for too long."""
    return min((timeout - _age(claim) for claim in claims if conditional(claim)), default=timeout)


def _claim_ready(claim: Json) -> bool:
    for result in results_of(claim):
        if not result.get("bindingConditions"):
            continue
        conditions = _conditions(claim, result)
        if conditions is None:
            return False
        for name in result.get("bindingFailureConditions") or ():
            row = conditions.get(name, {})
            if row.get("status") == "True":
                said = f'reason={row.get("reason", "")}, message="{row.get("message", "")}"'
                raise BindingFailed(f"device binding failed: claim={claim['metadata']['name']}, {said}")
        if any(conditions.get(name, {}).get("status") != "True" for name in result["bindingConditions"]):
            return False
    return True


def conditional(claim: Json) -> bool:
    """Whether an allocated device has binding conditions."""
    return any(result.get("bindingConditions") for result in results_of(claim))


def _too_late(claim: Json, timeout: float) -> bool:
    return conditional(claim) and _age(claim) > timeout


def _age(claim: Json) -> float:
    """Seconds since the claim was allocated."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    when = allocation.get("allocationTimestamp")
    if not when:
        return 0.0
    return (datetime.now(UTC) - datetime.fromisoformat(when.replace("Z", "+00:00"))).total_seconds()


def _conditions(claim: Json, result: Json) -> Mapping[str, Mapping[str, Any]] | None:
    """The conditions of the allocated device by type; None while the driver has said nothing of it."""
    for device in (claim.get("status") or {}).get("devices") or ():
        if all(device[key] == result[key] for key in ("driver", "pool", "device")):
            return {row["type"]: row for row in device.get("conditions") or ()}
    return None
