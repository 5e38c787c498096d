"""The rights that a run needs, and which of them are missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.cluster.api import Api
from conformance.cluster.existing.settings import Unusable

_REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_DRA = "resource.k8s.io"
_READ = ("get", "list", "watch")


@dataclass(frozen=True)
class Right:
    """Verbs on one resource, in all namespaces."""

    group: str
    resource: str
    verbs: tuple[str, ...]

    def __str__(self) -> str:
        name = f"{self.resource}.{self.group}" if self.group else self.resource
        return f"{', '.join(self.verbs)} {name}"


# A websocket is opened with GET: older API servers look for `get`, newer ones for `create`, too.
NEEDED = (
    Right("", "namespaces", ("list", "create", "delete")),
    Right("", "nodes", _READ),
    Right("", "pods", (*_READ, "create", "patch", "delete")),
    Right("", "pods/exec", ("get", "create")),
    Right("", "events", ("list", "watch")),
    Right(_DRA, "resourceclaims", (*_READ, "create", "patch", "delete")),
    Right(_DRA, "resourceclaimtemplates", ("list", "watch", "create", "patch", "delete")),
    Right(_DRA, "resourceslices", _READ),
    Right(_DRA, "deviceclasses", (*_READ, "create", "delete")),
)
# Where nodes are left alone, what containers see is read from their logs, and no class is made.
NEEDED_BY_API = (
    *(right for right in NEEDED if right.resource not in ("pods/exec", "deviceclasses")),
    Right("", "pods/log", ("get",)),
    Right(_DRA, "deviceclasses", _READ),
)


def missing_rights(api: Api, needed: Sequence[Right] = NEEDED) -> list[Right]:
    """Those of the rights that the identity does not have. Raises ApiError."""
    found = []
    for right in needed:
        verbs = tuple(verb for verb in right.verbs if not _allowed(api, right, verb))
        if verbs:
            found.append(Right(right.group, right.resource, verbs))
    return found


def check_rights(api: Api, needed: Sequence[Right] = NEEDED) -> None:
    """Raises Unusable with one sentence that names what is missing, ApiError when it cannot be found out."""
    missing = missing_rights(api, needed)
    if missing:
        raise Unusable(
            f"the identity of the kubeconfig may not {'; '.join(map(str, missing))}: have it granted these rights in "
            "all namespaces, or use another identity"
        )


def _allowed(api: Api, right: Right, verb: str) -> bool:
    resource, _, subresource = right.resource.partition("/")
    attributes = {"group": right.group, "resource": resource, "subresource": subresource, "verb": verb}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": attributes},
    }
    return bool(api.request("POST", _REVIEWS, body=review)["status"].get("allowed"))
