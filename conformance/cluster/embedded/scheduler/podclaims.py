"""The claims of a pod.

Source: dynamic-resource-allocation/resourceclaim/resourceclaim.go.
"""

from collections.abc import Callable, Mapping
from typing import Any

Json = Mapping[str, Any]
MAX_RESERVED = 256


class NotYet(Exception):
    """The pod cannot be looked at yet; nothing is told to the user. The text is Kubernetes' log text."""


def claim_names(pod: Json) -> dict[str, str | None]:
    """Claim name by name in the pod; None when no claim is needed. Raises NotYet for one that was not created yet."""
    statuses = {row["name"]: row for row in (pod.get("status") or {}).get("resourceClaimStatuses") or ()}
    names: dict[str, str | None] = {}
    for entry in (pod.get("spec") or {}).get("resourceClaims") or ():
        if entry.get("resourceClaimName"):
            names[entry["name"]] = entry["resourceClaimName"]
        elif entry["name"] in statuses:
            names[entry["name"]] = statuses[entry["name"]].get("resourceClaimName")
        else:
            meta = pod["metadata"]
            raise NotYet(f'pod "{meta["namespace"]}/{meta["name"]}": ResourceClaim not created yet')
    return names


def claims_of(pod: Json, get: Callable[[str], dict[str, Any] | None]) -> list[dict[str, Any]]:
    """The claims of a pod, each once. `get` finds a claim by name. Raises NotYet when one cannot be used yet."""
    generated = {
        e["name"] for e in (pod.get("spec") or {}).get("resourceClaims") or () if not e.get("resourceClaimName")
    }
    claims: dict[str, dict[str, Any]] = {}
    for entry, name in claim_names(pod).items():
        if name is None:
            continue
        claim = get(name)
        if claim is None:
            raise NotYet(f'resourceclaim.resource.k8s.io "{name}" not found')
        if claim["metadata"].get("deletionTimestamp"):
            raise NotYet(f'resourceclaim "{name}" is being deleted')
        if entry in generated and not owned_by(claim, pod):
            meta = pod["metadata"]
            owner = f"{meta['namespace']}/{meta['name']}"
            raise NotYet(f"ResourceClaim {meta['namespace']}/{name} was not created for pod {owner} (pod is not owner)")
        claims[name] = claim
    return list(claims.values())


def owned_by(obj: Json, owner: Json) -> bool:
    """Whether the owner controls the object."""
    references = obj["metadata"].get("ownerReferences") or ()
    return any(ref.get("controller") and ref["uid"] == owner["metadata"]["uid"] for ref in references)


def reserved_for(claim: Json, pod: Json) -> bool:
    """Whether the claim is reserved for the pod."""
    entries = (claim.get("status") or {}).get("reservedFor") or ()
    return any(entry["uid"] == pod["metadata"]["uid"] for entry in entries)


def can_be_reserved(claim: Json) -> bool:
    """Whether there is room for another pod."""
    return len((claim.get("status") or {}).get("reservedFor") or ()) < MAX_RESERVED


def reservation(pod: Json) -> dict[str, str]:
    """The pod as an entry of reservedFor."""
    return {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}


def done(pod: Json) -> bool:
    """Whether the pod will not run any more: it has ended, or is deleted and was never bound."""
    ended = (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")
    never_bound = not (pod.get("spec") or {}).get("nodeName")
    return ended or bool(pod["metadata"].get("deletionTimestamp") and never_bound)
