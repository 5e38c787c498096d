"""Claims that pods' templates ask for.

Source: handleClaim and syncPod of pkg/controller/resourceclaim/controller.go.
"""

from contextlib import suppress
from typing import Any

from conformance.cluster.api_errors import ApiError, NotFound
from conformance.cluster.embedded.apiserver.objects import Key, key_of
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.generate import generated_claim
from conformance.cluster.embedded.scheduler.backoff import Backoff
from conformance.cluster.embedded.scheduler.events import emit
from conformance.cluster.embedded.scheduler.model import Json
from conformance.cluster.embedded.scheduler.podclaims import owned_by

NAME = "resource_claim"
ANNOTATION = "resource.kubernetes.io/pod-claim-name"


class _Refused(Exception):
    """The API server does not accept the claim that a template asks for."""


class TemplateClaims:
    """Makes the claims, and tells users of pods for which that fails."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Pods whose claims cannot be made, with what the user was told.
        self._told: dict[Key, str] = {}
        self._backoff = Backoff()

    def changed(self, template: Json) -> None:
        """A template has come: pods of its namespace may have waited for it."""
        for key in [key for key in self._told if key[0] == template["metadata"]["namespace"]]:
            self._again(key)

    def retry(self) -> float | None:
        """Try again what is due; the seconds until more is."""
        for key in self._backoff.over():
            self._again(key)
        return min(self._backoff.seconds(), default=None)

    def forget(self, pod: Json) -> None:
        """The pod has its claims, or needs none any more."""
        self._told.pop(key_of(pod), None)
        self._backoff.forget(key_of(pod))

    def _again(self, key: Key) -> None:
        with suppress(ApiError):
            self.generate(self._store.get("pods", key[1], key[0]))

    def generate(self, pod: Json) -> None:
        """Make the claims that the pod's templates ask for, and note their names in its status. Raises ApiError."""
        entries = [row for row in pod["spec"].get("resourceClaims") or () if row.get("resourceClaimTemplateName")]
        known = {row["name"]: row.get("resourceClaimName") for row in statuses(pod)}
        made = {}
        for entry in entries:
            if entry["name"] in known and (known[entry["name"]] is None or self._exists(pod, known[entry["name"]])):
                continue
            try:
                made[entry["name"]] = self._make(pod, entry)
            except (NotFound, _Refused) as error:
                self._failed(pod, entry, error)
                return
        self.forget(pod)
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
        try:
            created = self._store.create("resourceclaims", generated_claim(pod, entry["name"], template), namespace)
        except ApiError as error:
            raise _Refused(f"create ResourceClaim : {error.message}") from None
        return str(created["metadata"]["name"])

    def _failed(self, pod: Json, entry: Json, error: Exception) -> None:
        template = entry["resourceClaimTemplateName"]
        text = str(error)
        if isinstance(error, NotFound):
            text = f'resource claim template "{template}": resourceclaimtemplate.resource.k8s.io "{template}" not found'
        message = f"PodResourceClaim {entry['name']}: {text}"
        self._backoff.add(key_of(pod))
        if self._told.get(key_of(pod)) != message:
            self._told[key_of(pod)] = message
            emit(self._store, dict(pod), NAME, "Warning", "FailedResourceClaimCreation", message)

    def _note(self, pod: Json, made: dict[str, str]) -> None:
        def change(obj: dict[str, Any]) -> None:
            if obj["metadata"]["uid"] != pod["metadata"]["uid"]:
                return
            rows = {row["name"]: row for row in statuses(obj)}
            rows |= {entry: {"name": entry, "resourceClaimName": name} for entry, name in made.items()}
            obj.setdefault("status", {})["resourceClaimStatuses"] = [rows[name] for name in sorted(rows)]

        self._store.modify("pods", pod["metadata"]["name"], pod["metadata"]["namespace"], change, status=True)


def statuses(pod: Json) -> list[Any]:
    """What the pod's status says of its claims."""
    return (pod.get("status") or {}).get("resourceClaimStatuses") or []
