"""Where the API server is and how to prove who we are: from a kubeconfig file or from the pod's service account."""

import base64
import binascii
import os
import ssl
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import PluginError

_WAYS = {"token", "tokenFile", "client-certificate", "client-certificate-data"}
SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")


@dataclass(frozen=True)
class Credentials:
    """Server URL, trust and identity. `token_file` is read anew when the server answers 401: kubelets rotate it."""

    server: str
    ca: bytes | None = None
    token: str | None = field(default=None, repr=False)
    token_file: Path | None = None
    certificate: bytes | None = field(default=None, repr=False)
    key: bytes | None = field(default=None, repr=False)
    insecure: bool = False

    def bearer(self) -> str | None:
        """The token as it is now. Raises PluginError where it cannot be one; its text is never told."""
        try:
            token = self.token_file.read_text(encoding="ascii") if self.token_file else self.token
        except (OSError, UnicodeDecodeError) as error:
            raise PluginError(f"token file {self.token_file} cannot be read: {type(error).__name__}") from None
        token = token.strip() if token else None
        if token and not (token.isascii() and token.isprintable()):
            raise PluginError(f"the token from {self.token_file or 'the kubeconfig'} has characters that no token has")
        return token

    def ssl_context(self) -> ssl.SSLContext:
        """TLS settings that trust the given CA only, whatever the environment says. Raises PluginError."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            self._load_into(context)
        except (ssl.SSLError, ValueError) as error:
            what = f"the certificates for the API server {self.server} cannot be used"
            raise PluginError(f"{what}: {type(error).__name__}: {error}") from error
        return context

    def _load_into(self, context: ssl.SSLContext) -> None:
        if self.insecure:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        elif self.ca:
            context.load_verify_locations(cadata=self.ca.decode("ascii"))
        else:
            context.load_default_certs()
        if self.certificate and self.key:
            _load_client_certificate(context, self.certificate, self.key)


def _load_client_certificate(context: ssl.SSLContext, certificate: bytes, key: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:  # the ssl module reads certificates from files only
        file.write(certificate + b"\n" + key)
        file.flush()
        context.load_cert_chain(file.name)


def find(kubeconfig: Path | None) -> Credentials:
    """Credentials from the file given, else from $KUBECONFIG, else from the pod. Raises PluginError."""
    path = kubeconfig or (Path(os.environ["KUBECONFIG"]) if os.environ.get("KUBECONFIG") else None)
    return from_kubeconfig(path) if path else from_pod()


def from_pod() -> Credentials:
    """The service account that the kubelet mounts into a pod. Raises PluginError outside of a pod."""
    host, port = os.environ.get("KUBERNETES_SERVICE_HOST"), os.environ.get("KUBERNETES_SERVICE_PORT")
    if not host or not port:
        raise PluginError("no way to the API server: give --kubeconfig, set KUBECONFIG or run in a pod")
    host = f"[{host}]" if ":" in host else host
    try:
        ca = (SERVICE_ACCOUNT / "ca.crt").read_bytes()
    except OSError as error:
        raise PluginError(f"the pod has no service account to use: {error}; give --kubeconfig otherwise") from error
    return Credentials(f"https://{host}:{port}", ca, token_file=SERVICE_ACCOUNT / "token")


def from_kubeconfig(path: Path) -> Credentials:
    """The current context of a kubeconfig file. Raises PluginError when it is unreadable or lacks a part."""
    import yaml  # a pod needs no YAML, and it costs 20 ms

    try:
        config = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        context = _named(config, "contexts", config["current-context"])["context"]
        cluster = _named(config, "clusters", context["cluster"])["cluster"]
        user = _named(config, "users", context["user"]).get("user") or {}
        _check(path, cluster["server"], context["user"], user)
        return Credentials(
            server=cluster["server"],
            ca=_bytes(cluster, "certificate-authority", path),
            token=user.get("token"),
            token_file=path.parent / user["tokenFile"] if user.get("tokenFile") else None,
            certificate=_bytes(user, "client-certificate", path),
            key=_bytes(user, "client-key", path),
            insecure=bool(cluster.get("insecure-skip-tls-verify")),
        )
    except yaml.YAMLError as error:  # its text would quote the file
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise PluginError(f"kubeconfig {path} cannot be used: it is not YAML{where}") from None
    except (OSError, KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise PluginError(f"kubeconfig {path} cannot be used: {type(error).__name__}: {error}") from error


def _check(path: Path, server: str, name: str, user: Mapping[str, Any]) -> None:
    """Raise PluginError for what would otherwise be found out by an API server that knows nobody, if at all."""
    if not server.startswith(("https://", "http://")):
        raise PluginError(f"kubeconfig {path}: server {server} must begin with https://")
    if user and not _WAYS & set(user):
        raise PluginError(
            f"kubeconfig {path}: user {name} proves who it is by {', '.join(user)}, which this driver cannot do;"
            f" give it one of {', '.join(sorted(_WAYS))}"
        )


def _named(config: Mapping[str, Any], section: str, name: str) -> Mapping[str, Any]:
    for entry in config.get(section) or ():
        if entry["name"] == name:
            return dict(entry)
    raise KeyError(f"{section} has no entry {name!r}")


def _bytes(section: Mapping[str, Any], field: str, kubeconfig: Path) -> bytes | None:
    if data := section.get(f"{field}-data"):
        return base64.b64decode(str(data))
    if file := section.get(field):
        return (kubeconfig.parent / str(file)).read_bytes()
    return None
