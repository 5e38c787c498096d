"""Who may do what: the harness and our kubelets everything, the driver what a driver's service account may."""

import secrets
from dataclasses import dataclass
from threading import Lock

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.local.rights import DRIVER_WRITES, READ

_ADMINISTRATOR = "dra-conformance"
_TRUSTED = ("harness", "kubelet")


@dataclass(frozen=True)
class User:
    """An identity. `node` is the node that a driver's token is bound to, "" for none."""

    name: str
    node: str = ""

    @property
    def trusted(self) -> bool:
        """Whether it is part of the suite itself: everything is allowed, and its requests are not recorded."""
        return self.name in _TRUSTED

    @property
    def username(self) -> str:
        """As Kubernetes names it."""
        if self.trusted:
            return _ADMINISTRATOR
        return f"system:serviceaccount:dra-driver:{self.name}"

    def may(self, verb: str, resource: str) -> bool:
        """Whether it may write that resource, or subresource, with that verb."""
        return self.trusted or verb in DRIVER_WRITES.get(resource, ())

    def authorize(self, info: RequestInfo) -> None:
        """Raises Forbidden when it may not do that."""
        if info.resource is not None and info.verb not in READ and not self.may(info.verb, info.full_resource):
            where = f' in the namespace "{info.namespace}"' if info.namespace else " at the cluster scope"
            why = (
                f'User "{self.username}" cannot {info.verb} resource "{info.full_resource}" '
                f'in API group "{info.resource.group}"{where}'
            )
            raise status.forbidden(info.resource, info.name, why)


class Tokens:
    """Bearer tokens of one run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users: dict[str, User] = {}

    def issue(self, user: User) -> str:
        """The user's token, always the same one."""
        with self._lock:
            for token, known in self._users.items():
                if known == user:
                    return token
            token = secrets.token_urlsafe(32)
            self._users[token] = user
            return token

    def authenticate(self, header: str) -> User:
        """The user of an Authorization header. Raises Unauthorized."""
        scheme, _, token = header.partition(" ")
        user = self._users.get(token.strip())
        if scheme.lower() != "bearer" or user is None:
            raise status.unauthorized()
        return user
