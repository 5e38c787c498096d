"""The two sides: an embedded API server or cluster, and a real control plane beside it."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import urllib3

from conformance.cluster.binaries import Binaries
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.embedded.apiserver.server import ApiServer
from conformance.cluster.embedded.backend import EmbeddedBackend
from conformance.cluster.kubeconfig import Access
from conformance.history import History
from conformance.session.rundir import RunDir
from tests.fidelity.compare import Answer
from tests.fidelity.model import Case, Ref, Request
from tests.fidelity.mutate import find


class Side:
    """One API server, asked as its administrator."""

    def __init__(self, access: Access) -> None:
        self._server = access.server.rstrip("/")
        self._headers = {
            "Authorization": f"Bearer {access.token}",
            "User-Agent": "fidelity",
            "Accept": "application/json",
        }
        self._pool = urllib3.PoolManager(ssl_context=access.ssl_context(), timeout=30, maxsize=1)

    def run(self, case: Case) -> list[Answer]:
        """The answers to all requests of a case."""
        answers: list[Answer] = []
        for step in case.steps:
            answers.append(self.ask(step, answers))
        return answers

    def ask(self, request: Request, before: Sequence[Answer] = ()) -> Answer:
        """The answer to one request."""
        body = resolved(request.body, before)
        query = urlencode(resolved(dict(request.query), before), doseq=True)
        headers = {**self._headers, "Content-Type": request.content_type, **request.headers}
        try:
            response = self._pool.request(
                request.method,
                self._server + request.path + (f"?{query}" if query else ""),
                body=_encoded(body),
                headers=headers,
                retries=False,
            )
        except urllib3.exceptions.HTTPError as error:
            # A server that gives up on a request without a word is a difference like any other.
            return Answer(0, f"{type(error).__name__}: {error}")
        try:
            return Answer(response.status, json.loads(response.data))
        except ValueError:
            return Answer(response.status, response.data.decode(errors="replace"))


def _encoded(body: Any) -> bytes | None:
    """As Go encodes JSON: free-form parameters are kept byte by byte, and after a patch they are in this form."""
    if body is None or isinstance(body, bytes):
        return body
    return json.dumps(body, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


def resolved(value: Any, before: Sequence[Answer]) -> Any:
    """A value with what its Refs stand for."""
    if isinstance(value, Ref):
        return find(before[value.step].body, tuple(value.path.split(".")))
    if isinstance(value, dict):
        return {key: resolved(item, before) for key, item in value.items()}
    if isinstance(value, list):
        return [resolved(item, before) for item in value]
    return value


class _ApiServerOnly(ControlPlaneBackend):
    """A real API server with its etcd: nobody but the asker changes anything."""

    def _start_clients(self) -> None:
        """No scheduler, no controllers, no kubelet."""

    @property
    def access(self) -> Access:
        """Of an administrator."""
        return self._at.access("dra-conformance")


class ApiServers:
    """The embedded API server and a real one, both without controllers."""

    def __init__(self, binaries: Binaries, folder: Path) -> None:
        self._binaries = binaries
        self._folder = folder
        self._running = ExitStack()

    def __enter__(self) -> "ApiServers":
        with ExitStack() as running:
            run = RunDir.create()
            running.callback(run.close)
            real = _ApiServerOnly(run.path, History(), binaries=lambda: self._binaries, log_dir=self._folder)
            real.start()
            running.callback(real.stop)
            embedded = ApiServer(run.path, History())
            embedded.start()
            running.callback(embedded.stop)
            self.ours, self.theirs = Side(embedded.access()), Side(real.access)
            self.embedded, self.real = embedded, real
            self._running = running.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def run(self, cases: Sequence[Case]) -> tuple[list[list[Answer]], list[list[Answer]]]:
        """Ask both sides all cases at the same time: our answers and theirs, a list a case."""
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(lambda side: [side.run(case) for case in cases], side) for side in self.sides]
            return asked[0].result(), asked[1].result()

    @property
    def sides(self) -> tuple[Side, Side]:
        """Ours, theirs."""
        return self.ours, self.theirs


class Clusters:
    """The embedded cluster and the real control plane as a whole, each with scheduler, controllers and our kubelet."""

    def __init__(self, binaries: Binaries, folder: Path) -> None:
        self._binaries = binaries
        self._folder = folder
        self._running = ExitStack()

    def __enter__(self) -> "Clusters":
        with ExitStack() as running:
            runs = RunDir.create(), RunDir.create()
            for run in runs:
                running.callback(run.close)
            self.theirs = ControlPlaneBackend(
                runs[0].path, History(), binaries=lambda: self._binaries, log_dir=self._folder / "theirs"
            )
            self.ours = EmbeddedBackend(runs[1].path, History(), log_dir=self._folder / "ours")
            for backend in (self.theirs, self.ours):
                backend.start()
                running.callback(backend.stop)
            self._running = running.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()
