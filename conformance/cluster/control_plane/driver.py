"""The driver's identity: a service account with a token that is bound to the node, and its rights."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from conformance.cluster.api import Api
from conformance.cluster.local.rights import DRIVER_WRITES, READ
from conformance.cluster.resources import DRA_GROUP, RESOURCES
from conformance.cluster.wait import wait_for

Object = dict[str, Any]

NAMESPACE, NAME = "dra-driver", "driver"
_USER = f"system:serviceaccount:{NAMESPACE}:{NAME}"
_RBAC = "rbac.authorization.k8s.io"
_ROLES, _BINDINGS = (f"/apis/{_RBAC}/v1/{kind}" for kind in ("clusterroles", "clusterrolebindings"))
_CLAIMS = "resourceclaims"
_UNREADABLE = (_CLAIMS, "secrets")
# These rights have roles of their own, which can be taken away.
_WRITTEN = {"resourceslices": "dra-driver-slices", "resourceclaims/status": "dra-driver-status"}
_TOKEN_SECONDS = 365 * 86400  # a cluster can be kept up for long
_PATIENCE = 10.0


class DriverIdentity:
    """The service account of the driver under test."""

    def __init__(self, api: Api) -> None:
        """`api`: of somebody who may do everything."""
        self._api = api

    def create(self) -> None:
        """Make the account and its rights. Raises ApiError."""
        self._api.create("namespaces", {"metadata": {"name": NAMESPACE}})
        self._api.create("serviceaccounts", {"metadata": {"name": NAME}}, NAMESPACE)
        self._role("dra-driver", _rules())
        self._role("dra-driver-claims", [_rule(_CLAIMS, READ)])
        for resource, role in _WRITTEN.items():
            self._role(role, [_rule(resource, DRIVER_WRITES[resource])])
        for role in ("dra-driver", "dra-driver-claims", *_WRITTEN.values()):
            self._bind(role)

    def token(self, node: str) -> str:
        """A token like that of a pod on the node, which must exist. Raises ApiError."""
        spec = {
            "expirationSeconds": _TOKEN_SECONDS,
            "boundObjectRef": {"kind": "Node", "apiVersion": "v1", "name": node},
        }
        path = RESOURCES["serviceaccounts"].path(NAMESPACE, NAME) + "/token"
        body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
        return str(self._api.request("POST", path, body=body)["status"]["token"])

    @contextmanager
    def without_claims(self) -> Iterator[None]:
        """Inside the block it may not read claims. Raises WaitTimeout when that does not come into force."""
        with self._without("dra-driver-claims", _CLAIMS, "get"):
            yield

    @contextmanager
    def without_writes(self, resource: str) -> Iterator[None]:
        """Inside the block it may not write slices, or the status of claims. Raises WaitTimeout as above."""
        with self._without(_WRITTEN[resource], resource, "update"):
            yield

    @contextmanager
    def _without(self, role: str, resource: str, verb: str) -> Iterator[None]:
        self._api.request("DELETE", f"{_BINDINGS}/{role}")
        try:
            self._wait_allowed(resource, verb, wanted=False)
            yield
        finally:
            self._bind(role)
            self._wait_allowed(resource, verb, wanted=True)

    def _wait_allowed(self, resource: str, verb: str, *, wanted: bool) -> None:
        what = f"{verb} of {resource} to be {'allowed' if wanted else 'refused'}"
        wait_for(lambda: self._may(resource, verb) is wanted, what, timeout=_PATIENCE)

    def _may(self, resource: str, verb: str) -> bool:
        plural, _, subresource = resource.partition("/")
        review = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "spec": {
                "user": _USER,
                "groups": ["system:serviceaccounts", f"system:serviceaccounts:{NAMESPACE}", "system:authenticated"],
                "resourceAttributes": {
                    "group": DRA_GROUP,
                    "version": "v1",
                    "resource": plural,
                    "subresource": subresource,
                    "verb": verb,
                    "namespace": "default",
                },
            },
        }
        answer = self._api.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body=review)
        return bool(answer["status"]["allowed"])

    def _role(self, name: str, rules: Sequence[Mapping[str, Any]]) -> None:
        body = {"apiVersion": f"{_RBAC}/v1", "kind": "ClusterRole", "metadata": {"name": name}, "rules": rules}
        self._api.request("POST", _ROLES, body=body)

    def _bind(self, role: str) -> None:
        body = {
            "apiVersion": f"{_RBAC}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": role},
            "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
            "subjects": [{"kind": "ServiceAccount", "namespace": NAMESPACE, "name": NAME}],
        }
        self._api.request("POST", _BINDINGS, body=body)


def _rules() -> list[Object]:
    readable = [_rule(plural, READ) for plural in RESOURCES if plural not in _UNREADABLE]
    return readable + [_rule(resource, verbs) for resource, verbs in DRIVER_WRITES.items() if resource not in _WRITTEN]


def _rule(resource: str, verbs: Sequence[str]) -> Object:
    group = RESOURCES[resource.partition("/")[0]].group
    return {"apiGroups": [group], "resources": [resource], "verbs": list(verbs)}
