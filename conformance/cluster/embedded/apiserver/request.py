"""What a request is about: Kubernetes' RequestInfo (k8s.io/apiserver/pkg/endpoints/request)."""

from dataclasses import dataclass, field

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.kinds import KINDS, REVIEWS, Kind
from conformance.cluster.embedded.apiserver.negotiation import Form, negotiate
from conformance.cluster.resources import Resource

# Versions of resource.k8s.io: since when they are deprecated, and when they go.
_DEPRECATED = {"v1beta1": ("1.35", "1.38"), "v1beta2": ("1.36", "1.39")}
_NOT_DEPRECATED = (("devicetaintrules", "v1beta2"),)
_TRUE = ("true", "1", "")


@dataclass(frozen=True)
class RequestInfo:
    """One request. `resource` is None for paths that are not about objects; `user` is the identity's name.

    accept: the header of that name. warnings: what the client is to be told, whatever the answer.
    """

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
    accept: str = ""
    warnings: list[str] = field(default_factory=list, compare=False)

    @property
    def group(self) -> str:
        """The API group that is asked: events are in two."""
        parts = self.path.split("/")
        return parts[2] if parts[1] == "apis" else ""

    @property
    def form(self) -> Form:
        """What the client wants back. Raises ApiError 406."""
        return negotiate(self.accept)

    @property
    def dry_run(self) -> bool:
        """Whether nothing is to be kept of it."""
        return bool(self.query.get("dryRun"))

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


def read_request(method: str, path: str, query: dict[str, str], user: str, accept: str = "") -> RequestInfo:
    """The request to a path. Raises NotFound for a group, version or resource that is not served."""
    parts = [part for part in path.split("/") if part]
    if len(parts) < 3 or parts[0] not in ("api", "apis") or (parts[0] == "apis" and len(parts) < 4):
        return RequestInfo(method, path, method.lower(), user, query=query, accept=accept)
    group, version, rest = ("", parts[1], parts[2:]) if parts[0] == "api" else (parts[1], parts[2], parts[3:])
    review = REVIEWS.get(rest[0])
    if review is not None and (review.group, review.version) == (group, version) and len(rest) == 1:
        return RequestInfo(method, path, _verb(method, "", query), user, review, version, query=query, accept=accept)
    watched = rest[0] == "watch" and len(rest) > 1  # the older way to ask for a watch
    namespace, rest = _namespace(rest[1:] if watched else rest)
    kind = KINDS.get(rest[0])
    served = {} if kind is None else {(of, number): own for of, number, own in kind.served()}
    if kind is None or (group, version) not in served:
        raise status.no_such_path()
    version = served[group, version]
    name = rest[1] if len(rest) > 1 else ""
    subresource = rest[2] if len(rest) > 2 else ""
    verb = "watch" if watched and method == "GET" else _verb(method, name, query)
    info = RequestInfo(method, path, verb, user, kind.resource, version, namespace, name, subresource, query, accept)
    if (kind.resource.plural, version) not in _NOT_DEPRECATED and version in _DEPRECATED:
        since, until = _DEPRECATED[version]
        what = f"{kind.resource.group_version(version)} {kind.resource.kind}"
        info.warnings.append(f"{what} is deprecated in v{since}+, unavailable in v{until}+")
    return info


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
