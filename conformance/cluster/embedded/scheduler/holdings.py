"""The claims of pods as the scheduler deals with them in the API: found, bound, taken back, freed."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from conformance.cluster.api_errors import ApiError, NotFound
from conformance.cluster.embedded.scheduler import binding
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.placement import Placement
from conformance.cluster.embedded.scheduler.podclaims import NotYet, claims_of, extended_claim_of
from conformance.cluster.embedded.scheduler.unschedulable import NoPlacement

if TYPE_CHECKING:
    from conformance.cluster.embedded.apiserver.store import Store

Claims = list[dict[str, Any]]


class Holdings:
    """What pods hold, or are about to."""

    def __init__(self, store: "Store") -> None:
        self._store = store

    def named(self, pod: Json) -> Claims:
        """The claims that the pod names, each as often as it is named. Raises NotYet."""
        return claims_of(pod, lambda name: self._claim(name, pod["metadata"]["namespace"]))

    def all(self, pod: Json) -> Claims:
        """Those, and the one that was made for the pod's extended resources, as its status names it. Raises NotYet."""
        return [*self.named(pod), *extended_claim_of(pod, self._claim)]

    def bind(self, pod: Json, claims: Claims, placement: Placement) -> Claims:
        """Write the placement down; all claims as they are then. Raises ApiError, NotYet, BindingFailed."""
        bound = [
            binding.bind_claim(self._store, pod, claim, placement.allocations.get(claim["metadata"]["uid"]))
            for claim in claims
        ]
        if placement.extended:
            allocation = placement.allocations[placement.extended.claim["metadata"]["uid"]]
            bound.append(binding.create_extended(self._store, pod, placement.extended, allocation))
        return bound

    def free_one(self, pod: Json, problem: NoPlacement) -> str:
        """Free a claim that no node can use and only this pod holds; what was done, "" for nothing."""
        with suppress(ApiError, NotYet):
            for claim in self.named(pod):
                status = claim.get("status") or {}
                others = [row for row in status.get("reservedFor") or () if row["uid"] != pod["metadata"]["uid"]]
                if claim["metadata"]["uid"] in problem.unavailable and status.get("allocation") and not others:
                    binding.release(self._store, claim)
                    return "deallocation of ResourceClaim completed"
            if problem.left_over and self._delete_extended(pod):
                return "deletion of ResourceClaim completed"
        return ""

    def unreserve(self, pod: Json) -> None:
        """The pod is not bound after all: take its reservations back."""
        with suppress(ApiError, NotYet):
            binding.unreserve(self._store, pod, self.named(pod))
        with suppress(ApiError):
            self._delete_extended(pod)

    def _delete_extended(self, pod: Json) -> bool:
        claims = self._store.view("resourceclaims", self._store.selection("resourceclaims"))[0]
        found = extended_claim_of(pod, self._claim, claims)
        for claim in found:
            binding.delete(self._store, claim)
        return bool(found)

    def _claim(self, name: str, namespace: str) -> dict[str, Any] | None:
        try:
            return self._store.get("resourceclaims", name, namespace)
        except NotFound:
            return None
