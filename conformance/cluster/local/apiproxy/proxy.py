"""The proxy: where it listens, what it knows of the API server, and the rules that are in force."""

import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import urllib3

from conformance.cluster.apirules import Rule
from conformance.cluster.kubeconfig import Access, write_kubeconfig
from conformance.cluster.local.apiproxy.server import Listener, Upstream
from conformance.cluster.local.tls import make_server_files

_CONNECT_WITHIN = 10.0  # seconds
_KEPT_CONNECTIONS = 32


class ApiProxy:
    """Passes requests on to the API server of `access`, with the credentials of those who ask.

    Who has a client certificate there has it here too: the proxy holds it. `folder` is for the proxy's own certificate.
    """

    def __init__(self, access: Access, folder: Path) -> None:
        self._access = access
        files = make_server_files(folder)
        self._ca = files.ca
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(files.cert, files.key)
        self._rules: list[Rule] = []
        self._lock = threading.Lock()
        self._upstream = Upstream(_pool(access), _prefix(access), self._matching)
        self._listener: Listener | None = None
        self._port = 0

    def start(self) -> None:
        """Listen on a port of 127.0.0.1, after `stop` on the same one. Raises OSError."""
        self._listener = Listener(self._port, self._tls, self._upstream)
        self._port = self._listener.port

    def stop(self) -> None:
        """Refuse connections and end those that are there. May be called twice."""
        listener, self._listener = self._listener, None
        if listener:
            listener.stop()

    def __enter__(self) -> "ApiProxy":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"https://127.0.0.1:{self._port}"

    def write_kubeconfig(self, path: Path, user: str = "driver") -> Path:
        """Write a kubeconfig that leads through the proxy, with the token of `access`; returns the path."""
        return write_kubeconfig(path, replace(self._access, server=self.url, ca_file=self._ca), user)

    @contextmanager
    def rule(self, rule: Rule) -> Iterator[Rule]:
        """Inside the block the rule is in force for requests that begin; watches that run already go on as they are."""
        with self._lock:
            self._rules.append(rule)
        try:
            yield rule
        finally:
            with self._lock:
                self._rules = [kept for kept in self._rules if kept is not rule]

    def cut(self) -> None:
        """End all connections, and with them every watch; new ones are welcome."""
        if self._listener:
            self._listener.cut()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Inside the block nobody listens: connections are ended, new ones refused."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def _matching(self, method: str, target: str) -> Sequence[Rule]:
        with self._lock:
            rules = list(self._rules)
        return [rule for rule in rules if rule.take(method, target)]


def _pool(access: Access) -> urllib3.HTTPConnectionPool:
    url = urllib3.util.parse_url(access.server)
    timeout = urllib3.Timeout(connect=_CONNECT_WITHIN, read=None)  # how long an answer may take is the client's affair
    if url.scheme == "https":
        return urllib3.HTTPSConnectionPool(
            url.host or "", url.port, timeout=timeout, maxsize=_KEPT_CONNECTIONS, ssl_context=access.ssl_context()
        )
    return urllib3.HTTPConnectionPool(url.host or "", url.port, timeout=timeout, maxsize=_KEPT_CONNECTIONS)


def _prefix(access: Access) -> str:
    return (urllib3.util.parse_url(access.server).path or "").rstrip("/")
