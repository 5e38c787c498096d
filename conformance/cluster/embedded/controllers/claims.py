"""The ResourceClaim controller: claims from templates, reservations that are over, and deallocation.

Source: pkg/controller/resourceclaim/controller.go.
"""

from contextlib import suppress
from typing import Any

from conformance.cluster.api_errors import ApiError, NotFound
from conformance.cluster.embedded.apiserver.objects import Key
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.generate import generated_claim
from conformance.cluster.embedded.scheduler.binding import FINALIZER
from conformance.cluster.embedded.scheduler.events import emit
from conformance.cluster.embedded.scheduler.feed import Change
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.podclaims import (
    NotYet,
    can_be_reserved,
    claims_of,
    done,
    owned_by,
    reservation,
    reserved_for,
)

NAME = "resource_claim"
ANNOTATION = "resource.kubernetes.io/pod-claim-name"


class ClaimController:
    """Works off changes of pods, claims and templates."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Pods of which a template is missing, with what the user was told.
        self._missing: dict[Key, str] = {}

    def handle(self, change: Change) -> None:
        """Do what the change asks for. Objects that change meanwhile come here again."""
        try:
            match change.resource:
                case "pods":
                    self._pod(change.object, gone=change.type == "DELETED")
                case "resourceclaims":
                    self._claim(change.object, gone=change.type == "DELETED")
                case "resourceclaimtemplates":
                    self._template(change.object)
        except (ApiError, NotYet):
            return

    def _template(self, template: Json) -> None:
        for namespace, name in [key for key in self._missing if key[0] == template["metadata"]["namespace"]]:
            with suppress(ApiError):
                self._generate(self._store.get("pods", name, namespace))

    def _pod(self, pod: Json, *, gone: bool) -> None:
        # Changes may be behind the store: what counts is how the pod is now.
        pod = pod if gone else self._now(pod)
        if gone or done(pod):
            self._missing.pop(_key(pod), None)
            self._pod_ended(pod)
        elif not pod["metadata"].get("deletionTimestamp"):
            self._generate(pod)
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

    # Claims from templates

    def _generate(self, pod: Json) -> None:
        """Make the claims that the pod's templates ask for, and note their names in its status."""
        entries = [row for row in pod["spec"].get("resourceClaims") or () if row.get("resourceClaimTemplateName")]
        known = {row["name"]: row.get("resourceClaimName") for row in _statuses(pod)}
        made = {}
        for entry in entries:
            if entry["name"] in known and (known[entry["name"]] is None or self._exists(pod, known[entry["name"]])):
                continue
            try:
                made[entry["name"]] = self._make(pod, entry)
            except ApiError as error:
                self._failed(pod, entry, error)
                return
        self._missing.pop(_key(pod), None)
        if made:
            self._note(pod, made)

    def _exists(self, pod: Json, name: str) -> bool:
        try:
            return owned_by(self._store.get("resourceclaims", name, pod["metadata"]["namespace"]), pod)
        except NotFound:
            return False

    def _make(self, pod: Json, entry: Json) -> str:
        """The name of the claim for an entry of the pod; one that a former pod status forgot is taken again."""
        namespace = pod["metadata"]["namespace"]
        for claim in self._store.view("resourceclaims", self._store.selection("resourceclaims", namespace))[0]:
            annotations = claim["metadata"].get("annotations") or {}
            if owned_by(claim, pod) and annotations.get(ANNOTATION) == entry["name"]:
                return str(claim["metadata"]["name"])
        template = self._store.get("resourceclaimtemplates", entry["resourceClaimTemplateName"], namespace)
        created = self._store.create("resourceclaims", generated_claim(pod, entry["name"], template), namespace)
        return str(created["metadata"]["name"])

    def _failed(self, pod: Json, entry: Json, error: ApiError) -> None:
        template = entry["resourceClaimTemplateName"]
        text = str(error.message)
        if isinstance(error, NotFound):
            text = f'resource claim template "{template}": resourceclaimtemplate.resource.k8s.io "{template}" not found'
        message = f"PodResourceClaim {entry['name']}: {text}"
        if self._missing.get(_key(pod)) != message:
            self._missing[_key(pod)] = message
            emit(self._store, dict(pod), NAME, "Warning", "FailedResourceClaimCreation", message)

    def _note(self, pod: Json, made: dict[str, str]) -> None:
        def change(obj: dict[str, Any]) -> None:
            if obj["metadata"]["uid"] != pod["metadata"]["uid"]:
                return
            rows = {row["name"]: row for row in _statuses(obj)}
            rows |= {entry: {"name": entry, "resourceClaimName": name} for entry, name in made.items()}
            obj.setdefault("status", {})["resourceClaimStatuses"] = list(rows.values())

        self._store.modify("pods", pod["metadata"]["name"], pod["metadata"]["namespace"], change, status=True)

    # Reservations

    def _reserve_all(self, pod: Json) -> None:
        """Reserve allocated claims for a pod that came with its node, past the scheduler."""
        namespace = pod["metadata"]["namespace"]

        def get(name: str) -> dict[str, Any] | None:
            try:
                return self._store.get("resourceclaims", name, namespace)
            except NotFound:
                return None

        for claim in claims_of(pod, get):
            allocated = (claim.get("status") or {}).get("allocation")
            if allocated and not reserved_for(claim, pod) and can_be_reserved(claim):
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
        status["reservedFor"] = remaining
        if deallocate:
            status.pop("allocation", None)
            status.pop("devices", None)
        written = self._store.update_status("resourceclaims", claim)
        finalizers = written["metadata"].get("finalizers") or []
        if FINALIZER in finalizers and not (written.get("status") or {}).get("allocation"):
            written["metadata"]["finalizers"] = [item for item in finalizers if item != FINALIZER]
            self._store.update("resourceclaims", written)

    def _delete_unneeded(self, claim: Json) -> None:
        """Delete a generated claim of a pod that is done but not deleted; those of deleted pods are garbage."""
        meta = claim["metadata"]
        owner = next((ref for ref in meta.get("ownerReferences") or () if ref["kind"] == "Pod"), None)
        if owner is None or meta.get("deletionTimestamp"):
            return
        pod = self._store.get("pods", owner["name"], meta["namespace"])
        if pod["metadata"]["uid"] != owner["uid"] or done(pod):
            self._store.delete("resourceclaims", meta["name"], meta["namespace"], uid=meta["uid"])


def _key(pod: Json) -> Key:
    return pod["metadata"]["namespace"], pod["metadata"]["name"]


def _statuses(pod: Json) -> list[Any]:
    return (pod.get("status") or {}).get("resourceClaimStatuses") or []


def _names(pod: Json) -> set[str]:
    """The names of the claims that the pod is known to use."""
    direct = [row.get("resourceClaimName") for row in pod["spec"].get("resourceClaims") or ()]
    generated = [row.get("resourceClaimName") for row in _statuses(pod)]
    return {name for name in [*direct, *generated] if name}
