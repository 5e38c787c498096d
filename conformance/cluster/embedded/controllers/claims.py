"""The ResourceClaim controller: reservations that are over, and deallocation.

Source: pkg/controller/resourceclaim/controller.go.
"""

from contextlib import suppress
from typing import Any

from conformance.cluster.api_errors import ApiError, NotFound
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.templates import TemplateClaims, statuses
from conformance.cluster.embedded.scheduler.binding import FINALIZER
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.podclaims import (
    NotYet,
    claims_of,
    done,
    owned_by,
    reservation,
    reserved_for,
)


class ClaimController:
    """Works off changes of pods, claims and templates."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._templates = TemplateClaims(store)

    def handle(self, change: Change) -> None:
        """Do what the change asks for. Objects that change meanwhile come here again."""
        try:
            match change.resource:
                case "pods":
                    self._pod(change.object, gone=change.type == "DELETED")
                case "resourceclaims":
                    self._claim(change.object, gone=change.type == "DELETED")
                case "resourceclaimtemplates":
                    self._templates.changed(change.object)
        except (ApiError, NotYet):
            return

    def retry(self) -> float | None:
        """Try again what has failed and is due; the seconds until more is."""
        return self._templates.retry()

    def _pod(self, pod: Json, *, gone: bool) -> None:
        # Changes may be behind the store: what counts is how the pod is now.
        pod = pod if gone else self._now(pod)
        if gone or done(pod):
            self._templates.forget(pod)
            self._pod_ended(pod)
        elif not pod["metadata"].get("deletionTimestamp"):
            self._templates.generate(pod)
            if pod["spec"].get("nodeName"):
                self._reserve_all(pod)

    def _claim(self, claim: Json, *, gone: bool) -> None:
        if not gone:
            self._sync(claim)
        for pod in self._users(claim):
            with suppress(ApiError, NotYet):
                self._pod(pod, gone=False)

    def _users(self, claim: Json) -> list[Json]:
        """Living pods of the claim's namespace that wait for its controller: theirs to reserve, or to make again."""
        space, name = claim["metadata"]["namespace"], claim["metadata"]["name"]
        pods = self._store.view("pods", self._store.selection("pods", space))[0]
        return [pod for pod in pods if not done(pod) and name in _names(pod)]

    def _now(self, pod: Json) -> Json:
        found = self._store.get("pods", pod["metadata"]["name"], pod["metadata"]["namespace"])
        if found["metadata"]["uid"] != pod["metadata"]["uid"]:
            raise NotYet("the pod was replaced")
        return found

    def _reserve_all(self, pod: Json) -> None:
        """Reserve allocated claims for a pod that came with its node, past the scheduler."""
        namespace = pod["metadata"]["namespace"]

        def get(name: str) -> dict[str, Any] | None:
            try:
                return self._store.get("resourceclaims", name, namespace)
            except NotFound:
                return None

        for claim in {claim["metadata"]["uid"]: claim for claim in claims_of(pod, get)}.values():
            allocated = (claim.get("status") or {}).get("allocation")
            if allocated and not reserved_for(claim, pod):
                claim["status"].setdefault("reservedFor", []).append(reservation(pod))
                self._store.update_status("resourceclaims", claim)

    def _pod_ended(self, pod: Json) -> None:
        namespace = pod["metadata"]["namespace"]
        names = _names(pod)
        for claim in self._store.view("resourceclaims", self._store.selection("resourceclaims", namespace))[0]:
            if claim["metadata"]["name"] in names or owned_by(claim, pod) or reserved_for(claim, pod):
                self._sync(claim)

    def _sync(self, stale: Json) -> None:
        """Take away reservations of pods that are done; deallocate with the last one; let go of what is deleted."""
        # A claim that changes meanwhile is refused, and comes here again.
        with suppress(ApiError):
            meta = stale["metadata"]
            self._sync_now(self._store.get("resourceclaims", meta["name"], meta["namespace"]))

    def _sync_now(self, claim: dict[str, Any]) -> None:
        holders = (claim.get("status") or {}).get("reservedFor") or []
        remaining = [entry for entry in holders if self._holds(entry, claim)]
        protected = FINALIZER in (claim["metadata"].get("finalizers") or ())
        if len(remaining) < len(holders):
            self._release(claim, remaining, deallocate=protected and not remaining)
        elif protected and not remaining and claim["metadata"].get("deletionTimestamp"):
            self._release(claim, remaining, deallocate=True)
        if not remaining:
            self._delete_unneeded(claim)

    def _holds(self, entry: Json, claim: Json) -> bool:
        if entry.get("apiGroup") or entry["resource"] != "pods":
            # Consumers of other kinds are left alone.
            return True
        try:
            pod = self._store.get("pods", entry["name"], claim["metadata"]["namespace"])
        except NotFound:
            return False
        return pod["metadata"]["uid"] == entry["uid"] and not done(pod)

    def _release(self, claim: dict[str, Any], remaining: list[Any], *, deallocate: bool) -> None:
        status = claim.setdefault("status", {})
        status.pop("reservedFor", None)
        if remaining:
            status["reservedFor"] = remaining
        if deallocate:
            status.pop("allocation", None)
            status.pop("devices", None)
        written = self._store.update_status("resourceclaims", claim)
        finalizers = written["metadata"].get("finalizers") or []
        if FINALIZER in finalizers and not (written.get("status") or {}).get("allocation"):
            del written["metadata"]["finalizers"]
            left = [item for item in finalizers if item != FINALIZER]
            written["metadata"] |= {"finalizers": left} if left else {}
            self._store.update("resourceclaims", written)

    def _delete_unneeded(self, claim: Json) -> None:
        """Delete a generated claim of a pod that is done but not deleted; those of deleted pods are garbage."""
        meta = claim["metadata"]
        owners = meta.get("ownerReferences") or ()
        owner = next((ref for ref in owners if ref["kind"] == "Pod" and ref.get("controller")), None)
        if owner is None or meta.get("deletionTimestamp"):
            return
        pod = self._store.get("pods", owner["name"], meta["namespace"])
        if pod["metadata"]["uid"] != owner["uid"] or done(pod):
            self._store.delete("resourceclaims", meta["name"], meta["namespace"], uid=meta["uid"])


def _names(pod: Json) -> set[str]:
    """The names of the claims that the pod is known to use."""
    direct = [row.get("resourceClaimName") for row in pod["spec"].get("resourceClaims") or ()]
    generated = [row.get("resourceClaimName") for row in statuses(pod)]
    extended = ((pod.get("status") or {}).get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    return {name for name in [*direct, *generated, extended] if name}
