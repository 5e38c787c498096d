"""Which claims a pod uses, and whether it may (k8s.io/dynamic-resource-allocation/resourceclaim). Texts are its."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Object = dict[str, Any]
_ZERO = re.compile(r"[-+]?[0.]+([eE][-+]?[0-9]+|[numkMGTPE]i?)?")
_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"


class ClaimRefused(Exception):
    """A pod may not use a claim, or cannot yet."""


@dataclass(frozen=True)
class PodClaim:
    """An entry of a pod's spec.resourceClaims ("" for its extended resources) and its claim, if there is one."""

    entry: str
    claim: str | None
    from_template: bool


def pod_claims(pod: Object) -> Iterator[PodClaim]:
    """Claims of a pod in order, the one for extended resources last. Raises ClaimRefused where one is not made yet."""
    for entry in pod["spec"].get("resourceClaims") or ():
        yield _resolve(pod, entry)
    extended = _extended(pod)
    if extended:
        yield PodClaim("", extended["resourceClaimName"], from_template=False)


def _resolve(pod: Object, entry: Object) -> PodClaim:
    name = entry["name"]
    if "resourceClaimName" in entry:
        return PodClaim(name, entry["resourceClaimName"], from_template=False)
    for status in (pod.get("status") or {}).get("resourceClaimStatuses") or ():
        if status["name"] == name:
            return PodClaim(name, status.get("resourceClaimName"), from_template=True)
    raise ClaimRefused(f'pod "{_path(pod)}": ResourceClaim not created yet')


def check_owner(pod: Object, claim: Object) -> None:
    """Raises ClaimRefused when a claim from a template was made for another pod."""
    owners = claim["metadata"].get("ownerReferences") or ()
    if not any(owner.get("controller") and owner["uid"] == pod["metadata"]["uid"] for owner in owners):
        raise ClaimRefused(f"ResourceClaim {_path(claim)} was not created for Pod {_path(pod)} (Pod is not owner)")


def check_reserved(pod: Object, claim: Object) -> None:
    """Raises ClaimRefused when the claim is not reserved for the pod."""
    meta, claim_meta = pod["metadata"], claim["metadata"]
    consumers = (claim.get("status") or {}).get("reservedFor") or ()
    if not any(consumer["resource"] == "pods" and consumer["uid"] == meta["uid"] for consumer in consumers):
        raise ClaimRefused(
            f"pod {meta['name']} ({meta['uid']}) is not allowed to use "
            f"ResourceClaim {claim_meta['name']} ({claim_meta['uid']})"
        )


def container_requests(pod: Object, container: Object) -> list[tuple[str, str]]:
    """(claim name, request) that a container uses; request "" means all. Raises ClaimRefused."""
    used: dict[str, list[str]] = {}
    for claim in (container.get("resources") or {}).get("claims") or ():
        used.setdefault(claim["name"], []).append(claim.get("request") or "")
    found = []
    for pod_claim in pod_claims(pod):
        if pod_claim.claim is not None and pod_claim.entry in used:
            found += [(pod_claim.claim, request) for request in used[pod_claim.entry]]
    return found + _extended_requests(pod, container)


def container_claims(pod: Object, container: Object) -> list[str]:
    """Names of the claims that a container uses, the one for extended resources last. Raises ClaimRefused."""
    used = {claim["name"] for claim in (container.get("resources") or {}).get("claims") or ()}
    found = [pod_claim.claim for pod_claim in pod_claims(pod) if pod_claim.claim and pod_claim.entry in used]
    status = _extended(pod)
    if any(mapping["containerName"] == container["name"] for mapping in status.get("requestMappings") or ()):
        found.append(status["resourceClaimName"])
    return found


def uses_claims(pod: Object) -> bool:
    """Whether a pod uses any claim, be it for its extended resources."""
    return bool(pod["spec"].get("resourceClaims") or _extended(pod))


def claim_of_entry(pod: Object, name: str) -> str | None:
    """The claim behind one entry of a pod's spec.resourceClaims, None where there is none, or none yet."""
    entry = next((entry for entry in pod["spec"].get("resourceClaims") or () if entry["name"] == name), None)
    try:
        return None if entry is None else _resolve(pod, entry).claim
    except ClaimRefused:
        return None


def _extended_requests(pod: Object, container: Object) -> list[tuple[str, str]]:
    status = _extended(pod)
    wanted = {
        name
        for name, amount in ((container.get("resources") or {}).get("requests") or {}).items()
        if (is_extended(name) or name.startswith(_CLASS_PREFIX)) and not _ZERO.fullmatch(str(amount))
    }
    return [
        (status["resourceClaimName"], mapping["requestName"])
        for mapping in status.get("requestMappings") or ()
        if mapping["containerName"] == container["name"] and mapping["resourceName"] in wanted
    ]


def _extended(pod: Object) -> Object:
    return (pod.get("status") or {}).get("extendedResourceClaimStatus") or {}


def is_extended(resource: str) -> bool:
    """Whether a name may be that of an extended resource (pkg/apis/core/v1/helper)."""
    return "/" in resource and "kubernetes.io/" not in resource and not resource.startswith("requests.")


def _path(obj: Object) -> str:
    return f"{obj['metadata']['namespace']}/{obj['metadata']['name']}"
