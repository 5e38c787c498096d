"""How to reach an API server: read from a kubeconfig, written as one, turned into a TLS context."""

import base64
import os
import ssl
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from conformance.redact import hide_values


@dataclass(frozen=True)
class Access:
    """An API server and an identity. PEM data of a kubeconfig is held as data, files as paths.

    Its token is a secret from then on, wherever somebody says it.
    """

    server: str
    ca_file: Path | None = None
    token: str | None = None
    ca_data: str | None = None
    cert_data: str | None = None
    key_data: str | None = None
    verify: bool = True

    def __post_init__(self) -> None:
        hide_values([self.token] if self.token else [])

    def ssl_context(self) -> ssl.SSLContext:
        """Trust in the cluster's CA (the system's where none is given), and the client certificate if there is one."""
        context = ssl.create_default_context(cafile=str(self.ca_file) if self.ca_file else None, cadata=self.ca_data)
        if not self.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if self.cert_data and self.key_data:
            _load_pair(context, self.cert_data, self.key_data)
        return context


def _load_pair(context: ssl.SSLContext, cert: str, key: str) -> None:
    """The ssl module takes only files: a private one that is gone again at once."""
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(cert + "\n" + key)
        file.flush()
        context.load_cert_chain(file.name)


def read_kubeconfig(path: Path) -> Access:
    """Server and identity of the current context. Raises ValueError when the file does not name them."""
    config = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    context = _named(config.get("contexts"), config.get("current-context"), "context", path)
    cluster = _named(config.get("clusters"), context.get("cluster"), "cluster", path)
    user = _named(config.get("users"), context.get("user"), "user", path) if context.get("user") else {}
    if "exec" in user or "auth-provider" in user:
        raise ValueError(f"{path} gets its credentials from a plugin: give a kubeconfig with a token or a certificate")
    hide_values(str(user[key]) for key in ("client-key-data", "password") if user.get(key))
    return Access(
        server=str(cluster["server"]),
        token=user.get("token") or _text(path, user, "tokenFile"),
        ca_data=_pem(path, cluster, "certificate-authority"),
        cert_data=_pem(path, user, "client-certificate"),
        key_data=_pem(path, user, "client-key"),
        verify=not cluster.get("insecure-skip-tls-verify", False),
    )


def _named(rows: Sequence[dict[str, Any]] | None, name: object, key: str, path: Path) -> dict[str, Any]:
    for row in rows or ():
        if row.get("name") == name:
            return dict(row.get(key) or {})
    raise ValueError(f"{path} has no {key} named {name!r}: set current-context to one that it holds")


def _pem(path: Path, row: dict[str, Any], key: str) -> str | None:
    data = row.get(f"{key}-data")
    return base64.b64decode(data).decode() if data else _text(path, row, key)


def _text(path: Path, row: dict[str, Any], key: str) -> str | None:
    return (path.parent / row[key]).read_text(encoding="utf-8").strip() if row.get(key) else None


def write_kubeconfig(path: Path, access: Access, user: str) -> Path:
    """Write a kubeconfig for one user with the CA inside; only its owner can read it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        yaml.safe_dump(kubeconfig_of(access, user), file, sort_keys=False)
    return path


def kubeconfig_of(access: Access, user: str) -> dict[str, Any]:
    """A kubeconfig for one user with the CA inside."""
    ca = access.ca_file.read_bytes() if access.ca_file else b""
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {
                "name": "dra-conformance",
                "cluster": {"server": access.server, "certificate-authority-data": base64.b64encode(ca).decode()},
            }
        ],
        "users": [{"name": user, "user": {"token": access.token}}],
        "contexts": [{"name": user, "context": {"cluster": "dra-conformance", "user": user}}],
        "current-context": user,
    }
