"""The embedded API server: an HTTPS server in a thread of its own."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from conformance.cluster.api import Api
from conformance.cluster.embedded.apiserver.app import App
from conformance.cluster.embedded.apiserver.faults import Faults
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.apiserver.users import Tokens, User
from conformance.cluster.kubeconfig import Access, write_kubeconfig
from conformance.cluster.local.tls import make_server_files
from conformance.history import History
from conformance.verdict import Inconclusive

_START_SECONDS = 10
_STOP_SECONDS = 5
_GRACE_SECONDS = 0.08
_NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")


class _Server(uvicorn.Server):
    """uvicorn that says when it serves, and that no client can keep from stopping."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._end = asyncio.Event()

    def end(self) -> None:
        """Leave the main loop (to be called in the server's thread)."""
        self._end.set()

    async def main_loop(self) -> None:
        # Woken up, where uvicorn looks every tenth of a second.
        await self._end.wait()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Idle clients do not answer the end of a TLS connection: what is not closed by then is cut off.
        asyncio.get_running_loop().call_later(_GRACE_SECONDS, self._cut_off)
        await super().shutdown(sockets)
        # Of a connection whose TLS handshake is not over uvicorn knows nothing, and asyncio leaves it open.
        for transport in list(getattr(asyncio.get_running_loop(), "_transports", {}).values()):
            transport.abort()
        await asyncio.sleep(0)

    def _cut_off(self) -> None:
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()


class ApiServer:
    """Plays Kubernetes v1.37.2's API server on 127.0.0.1.

    Objects live in `store`, which the scheduler and the controllers use directly; they outlive stop() and start().
    `faults` lets checks have requests refused. Its files lie in `<run_dir>/apiserver`.
    """

    def __init__(self, run_dir: Path, history: History) -> None:
        self.store = Store(history)
        self.faults = Faults()
        self.history = history
        self._tokens = Tokens()
        self._files = make_server_files(run_dir / "apiserver")
        self._port = 0
        self._server: _Server | None = None
        self._app: App | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        for name in _NAMESPACES:
            self.store.create("namespaces", {"metadata": {"name": name}})
            self.store.create("serviceaccounts", {"metadata": {"name": "default"}}, name)

    @property
    def url(self) -> str:
        """Where it serves; known once it was started."""
        return f"https://127.0.0.1:{self._port}"

    @property
    def ca_file(self) -> Path:
        """The certificate of the run's authority (PEM)."""
        return self._files.ca

    def start(self) -> None:
        """Serve; a second start uses the port of the first. Raises Inconclusive when that does not work."""
        listener = self._listen()
        self._app = App(self.store, self._tokens, self.faults, self.history)
        config = uvicorn.Config(
            self._app,
            ssl_certfile=self._files.cert,
            ssl_keyfile=self._files.key,
            lifespan="off",
            ws="none",
            proxy_headers=False,
            loop="asyncio",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=60,
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._run, args=(listener,), name="apiserver", daemon=True)
        self._thread.start()
        if not self._server.ready.wait(_START_SECONDS):
            raise Inconclusive(f"the embedded API server did not start within {_START_SECONDS} s on port {self._port}")

    def stop(self) -> None:
        """End all watches and connections, then the server. May be called twice."""
        if self._server is None or self._thread is None or self._loop is None or self._app is None:
            return
        self._loop.call_soon_threadsafe(self._app.watches.close)
        self._loop.call_soon_threadsafe(self._server.end)
        self._thread.join(_STOP_SECONDS)
        self._server = self._thread = None

    @contextmanager
    def away(self) -> Iterator[None]:
        """Nobody answers at its address inside the block; afterwards it is back with all objects."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def access(self, user: str = "harness", node: str = "") -> Access:
        """Address and credentials for a user: "harness" and "kubelet" may do everything, any other what a driver may.

        `node` ties the token to a node, as the tokens of pods are.
        """
        return Access(self.url, self.ca_file, self._tokens.issue(User(user, node)))

    def api(self, user: str = "harness") -> Api:
        """A client for a user."""
        access = self.access(user)
        return Api(access.server, access.ca_file, access.token)

    def kubeconfig(self, path: Path, user: str = "driver", node: str = "") -> Path:
        """Write a kubeconfig for a user, readable by its owner only; returns the path."""
        return write_kubeconfig(path, self.access(user, node), user)

    def _listen(self) -> socket.socket:
        # With the protocol named: asyncio turns Nagle's delay off only then.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self._port))
        listener.listen(256)
        self._port = listener.getsockname()[1]
        return listener

    def _run(self, listener: socket.socket) -> None:
        server = self._server
        assert server is not None
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            runner.run(server.serve(sockets=[listener]))
        listener.close()
