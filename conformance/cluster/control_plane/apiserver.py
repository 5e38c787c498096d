"""kube-apiserver: its command line and the identities that it knows."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.cluster.api import Api
from conformance.cluster.control_plane.audit import AuditLog
from conformance.cluster.control_plane.program import Place, Program, answers
from conformance.cluster.control_plane.programs import etcd_socket, tls_flags
from conformance.cluster.kubeconfig import Access
from conformance.cluster.local.tls import ServerFiles, make_signing_key, write_private

# What is off by default in Kubernetes, and what its users' clusters turn on for drivers of older versions.
_OLDER_VERSIONS = "resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"
# ServiceAccount wants tokens in every pod, TaintNodesByCondition a controller that judges nodes by their heartbeats.
_LEFT_OUT = "ServiceAccount,TaintNodesByCondition"


@dataclass(frozen=True)
class User:
    """An identity with a token of its own."""

    name: str
    groups: Sequence[str] = ()


class Identities:
    """Tokens of everybody but the driver, made for one run; in a file for the API server."""

    def __init__(self, path: Path, users: Sequence[User]) -> None:
        self.path = path
        self._tokens = {user.name: secrets.token_urlsafe(32) for user in users}
        rows = [f'{self._tokens[u.name]},{u.name},{u.name},"{",".join(u.groups)}"\n' for u in users]
        write_private(path, "".join(rows).encode())

    def token(self, user: str) -> str:
        """The user's token."""
        return self._tokens[user]


class ApiServerAt:
    """Where the API server is, and who its clients are."""

    def __init__(self, port: int, files: ServerFiles, identities: Identities) -> None:
        self.port = port
        self.files = files
        self._identities = identities

    def access(self, user: str) -> Access:
        """Address and credentials for a user of the token file."""
        return self.with_token(self._identities.token(user))

    def with_token(self, token: str | None) -> Access:
        """Address and credentials for the owner of a token, None for anybody."""
        return Access(f"https://127.0.0.1:{self.port}", self.files.ca, token)


def kube_apiserver(place: Place, at: ApiServerAt, identities: Identities, audit: AuditLog, api: Api) -> Program:
    """The API server on one port of 127.0.0.1; `api` is asked whether it is ready."""
    key = make_signing_key(place.folder / "service-accounts.key")
    flags: Mapping[str, object] = {
        "etcd-servers": f"unix://{etcd_socket(place)}",
        "bind-address": "127.0.0.1",
        "secure-port": at.port,
        "permit-port-sharing": "true",
        **tls_flags(at.files),
        "cert-dir": place.folder,
        "endpoint-reconciler-type": "none",  # the others refuse an address of loopback
        "service-cluster-ip-range": "10.0.0.0/24",
        "service-account-issuer": "https://kubernetes.default.svc",
        "service-account-key-file": key,
        "service-account-signing-key-file": key,
        "token-auth-file": identities.path,
        "authorization-mode": "Node,RBAC",
        "enable-admission-plugins": "NodeRestriction",
        "disable-admission-plugins": _LEFT_OUT,
        "allow-privileged": "true",  # as kubeadm has it
        "runtime-config": _OLDER_VERSIONS,
        "audit-policy-file": audit.policy,
        "audit-log-path": audit.path,
        "audit-log-maxsize": 0,
        "shutdown-delay-duration": "0s",
    }
    return Program(place, "kube-apiserver", flags, lambda: answers(api, "/readyz"))
