"""What a request is about: Kubernetes' RequestInfo (k8s.io/apiserver/pkg/endpoints/request)."""

from dataclasses import dataclass, field

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.kinds import KINDS, Kind
from conformance.cluster.resources import Resource

_TRUE = ("true", "1", "")


@dataclass(frozen=True)
class RequestInfo:
    """One request. `resource` is None for paths that are not about objects; `user` is the identity's name."""

    method: str
    path: str
    verb: str
    user: str = ""
    resource: Resource | None = None
    version: str = ""
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    query: dict[str, str] = field(default_factory=dict)

    @property
    def full_resource(self) -> str:
        """resource, or resource/subresource."""
        plural = self.resource.plural if self.resource else ""
        return f"{plural}/{self.subresource}" if self.subresource else plural

    @property
    def kind(self) -> Kind:
        """The kind of object that it is about."""
        assert self.resource is not None
        return KINDS[self.resource.plural]

    def flag(self, name: str) -> bool:
        """Whether a boolean query parameter is set."""
        return self.query.get(name, "false").lower() in _TRUE


def read_request(method: str, path: str, query: dict[str, str], user: str) -> RequestInfo:
    """The request to a path. Raises NotFound for a group, version or resource that is not served."""
    parts = [part for part in path.split("/") if part]
    if len(parts) < 3 or parts[0] not in ("api", "apis") or (parts[0] == "apis" and len(parts) < 4):
        return RequestInfo(method, path, method.lower(), user, query=query)
    group, version, rest = ("", parts[1], parts[2:]) if parts[0] == "api" else (parts[1], parts[2], parts[3:])
    namespace, rest = _namespace(rest)
    kind = KINDS.get(rest[0])
    if kind is None or kind.resource.group != group or version not in kind.versions:
        raise status.no_such_path()
    name = rest[1] if len(rest) > 1 else ""
    subresource = rest[2] if len(rest) > 2 else ""
    verb = _verb(method, name, query)
    return RequestInfo(method, path, verb, user, kind.resource, version, namespace, name, subresource, query)


def _namespace(rest: list[str]) -> tuple[str, list[str]]:
    """Split `namespaces/<name>/<resource>…`; the resource `namespaces` itself is not in a namespace."""
    if rest[0] == "namespaces" and len(rest) > 2 and rest[2] not in ("status", "finalize"):
        return rest[1], rest[2:]
    return "", rest


def _verb(method: str, name: str, query: dict[str, str]) -> str:
    if method == "GET" and not name:
        return "watch" if query.get("watch", "false").lower() in _TRUE else "list"
    if method == "DELETE" and not name:
        return "deletecollection"
    names = {"GET": "get", "HEAD": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
    return names.get(method, method.lower())
