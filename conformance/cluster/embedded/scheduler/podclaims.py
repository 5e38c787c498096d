"""The claims of a pod.

Source: dynamic-resource-allocation/resourceclaim/resourceclaim.go.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
EXTENDED = "resource.kubernetes.io/extended-resource-claim"
"""The annotation of claims that the scheduler has made for extended resources."""


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
    """The claims of a pod, as its entries name them; `get` finds one. Raises NotYet when one cannot be used yet."""
    generated = {
        e["name"] for e in (pod.get("spec") or {}).get("resourceClaims") or () if not e.get("resourceClaimName")
    }
    claims: list[dict[str, Any]] = []
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
            raise NotYet(f"ResourceClaim {meta['namespace']}/{name} was not created for Pod {owner} (Pod is not owner)")
        claims.append(claim)
    return claims


def claim_references(pod: Json) -> Iterator[tuple[str, bool]]:
    """Names of the claims that exist for the pod, as far as it says; whether each has to belong to the pod."""
    statuses = {row["name"]: row for row in (pod.get("status") or {}).get("resourceClaimStatuses") or ()}
    for entry in (pod.get("spec") or {}).get("resourceClaims") or ():
        named = entry.get("resourceClaimName")
        name = named or statuses.get(entry["name"], {}).get("resourceClaimName")
        if name:
            yield name, not named
    extended = (pod.get("status") or {}).get("extendedResourceClaimStatus") or {}
    if extended.get("resourceClaimName"):
        yield extended["resourceClaimName"], True


def extended_claim_of(
    pod: Json, get: Callable[[str, str], dict[str, Any] | None], among: Iterable[Json] = ()
) -> list[dict[str, Any]]:
    """The claim for the pod's extended resources, if there is one: its status names it, or it is `among` these."""
    namespace = pod["metadata"]["namespace"]
    status = (pod.get("status") or {}).get("extendedResourceClaimStatus") or {}
    found = get(status["resourceClaimName"], namespace) if status.get("resourceClaimName") else None
    if found is None:
        found = next((dict(claim) for claim in among if made_for_extended_resources(claim, pod)), None)
    return [found] if found and owned_by(found, pod) else []


def made_for_extended_resources(claim: Json, pod: Json) -> bool:
    """Whether the scheduler has made the claim for the pod."""
    annotations = claim["metadata"].get("annotations") or {}
    return annotations.get(EXTENDED) == "true" and owned_by(claim, pod)


def owned_by(obj: Json, owner: Json) -> bool:
    """Whether the owner controls the object."""
    references = obj["metadata"].get("ownerReferences") or ()
    return any(ref.get("controller") and ref["uid"] == owner["metadata"]["uid"] for ref in references)


def reserved_for(claim: Json, pod: Json) -> bool:
    """Whether the claim is reserved for the pod."""
    entries = (claim.get("status") or {}).get("reservedFor") or ()
    return any(entry["uid"] == pod["metadata"]["uid"] for entry in entries)


def reservation(pod: Json) -> dict[str, str]:
    """The pod as an entry of reservedFor."""
    return {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}


def done(pod: Json) -> bool:
    """Whether the pod will not run any more: it has ended, or is deleted and was never bound."""
    ended = (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")
    never_bound = not (pod.get("spec") or {}).get("nodeName")
    return ended or bool(pod["metadata"].get("deletionTimestamp") and never_bound)
