"""An API server of one page, for tests that need it to fail in a certain way: nodes, claims, slices over plain HTTP."""

import json
import re
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

Object = dict[str, Any]
_PATH = re.compile(
    r"/(?:api|apis/resource\.k8s\.io)/v\w+(?:/namespaces/([^/]+))?/(nodes|resourceslices|resourceclaims)(?:/(.+))?"
)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is what the tests are about."""


class FakeApi:
    """Objects by (resource, name); `failures` are the statuses of the next answers, 0 drops the connection.

    `refusals`: by method, the status of all answers.
    """

    def __init__(self, versions: tuple[str, ...] = ("v1",)) -> None:
        self.versions = versions
        self.objects: dict[tuple[str, str], Object] = {}
        self.events: list[Object] = []
        self.requests: list[str] = []
        self.applied: list[Object] = []  # to the status of claims
        self.failures: deque[int] = deque()
        self.refusals: dict[str, int] = {}
        self.drop_fields: tuple[str, ...] = ()
        self.changed = threading.Condition()
        self._version = 0
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.store("nodes", {"metadata": {"name": "node-a"}})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def store(self, resource: str, obj: Object, kind: str = "") -> Object:
        """Create or replace an object, as somebody else would."""
        with self.changed:
            self._version += 1
            meta = obj["metadata"]
            for device in obj.get("spec", {}).get("devices", ()):
                for name in self.drop_fields:
                    device.pop(name, None)
            meta.setdefault("uid", str(uuid.uuid4()))
            meta.setdefault("name", meta.get("generateName", "") + uuid.uuid4().hex[:5])
            meta.setdefault("creationTimestamp", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            meta["resourceVersion"] = str(self._version)
            known = (resource, meta["name"]) in self.objects
            self.objects[resource, meta["name"]] = obj
            self._event("MODIFIED" if known else "ADDED", resource, obj)
            return obj

    def remove(self, resource: str, name: str) -> Object:
        with self.changed:
            self._version += 1
            obj = self.objects.pop((resource, name))
            obj = obj | {"metadata": obj["metadata"] | {"resourceVersion": str(self._version)}}
            self._event("DELETED", resource, obj)
            return obj

    def slices(self) -> list[Object]:
        with self.changed:
            found = [obj for (resource, _), obj in self.objects.items() if resource == "resourceslices"]
        return sorted(found, key=lambda obj: str(obj["metadata"]["name"]))

    def wait_slices(self, count: int, timeout: float = 5) -> list[Object]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.slices()) == count, timeout), self.requests
        return self.slices()

    def claim(self, name: str, devices: tuple[str, ...], uid: str = "", config: list[Object] | None = None) -> Object:
        """Store a claim that is allocated GPUs of node-a."""
        results = [
            {"request": "gpus", "driver": "gpu.example.com", "pool": "node-a", "device": entry} for entry in devices
        ]
        status = {"allocation": {"devices": {"results": results, "config": config or []}}}
        meta = {"name": name, "namespace": "default", "uid": uid or str(uuid.uuid4())}
        return self.store("resourceclaims", {"metadata": meta, "status": status})

    def kubeconfig(self, path: Path, token: str = "t") -> Path:
        config = {
            "current-context": "c",
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": self.url}}],
            "users": [{"name": "u", "user": {"token": token}}],
        }
        path.write_text(json.dumps(config))
        return path

    def _event(self, kind: str, resource: str, obj: Object) -> None:
        self.events.append({"resource": resource, "type": kind, "object": obj, "version": self._version})
        self.changed.notify_all()

    def watch(self, resource: str, since: int, seconds: float = 30) -> Iterator[Object]:
        sent = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.changed:
                if len(self.events) == sent:
                    self.changed.wait(timeout=1)
                fresh, sent = self.events[sent:], len(self.events)
            yield from (event for event in fresh if event["resource"] == resource and event["version"] > since)

    @property
    def version(self) -> int:
        return self._version


@contextmanager
def fake_api(versions: tuple[str, ...] = ("v1",)) -> Iterator[FakeApi]:
    api = FakeApi(versions)
    try:
        yield api
    finally:
        api.close()


def _handler(api: FakeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def answer(self) -> None:
            url = urlsplit(self.path)
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            query = {key: values[0] for key, values in parse_qs(url.query).items()}
            api.requests.append(f"{self.command} {url.path}" + ("?watch" if "watch" in query else ""))
            if api.failures and "watch" not in query:
                return self.fail(api.failures.popleft())
            if self.command in api.refusals:
                return self.fail(api.refusals[self.command])
            if url.path == "/apis/resource.k8s.io":
                return self.send({"versions": [{"version": version} for version in api.versions]})
            match = _PATH.fullmatch(url.path)
            assert match, url.path
            return self.on_object(match[2], match[3] or "", query, body)

        def on_object(self, resource: str, name: str, query: dict[str, str], body: Object) -> None:
            if self.command == "PATCH" and name.endswith("/status"):
                api.applied.append(body)
                return self.send(body)
            if name and (resource, name) not in api.objects:
                return self.fail(404)
            if self.command == "POST":
                return self.send(api.store(resource, body), 201)
            if self.command == "PUT":
                old = api.objects[resource, name]["metadata"]["resourceVersion"]
                return (
                    self.send(api.store(resource, body))
                    if body["metadata"]["resourceVersion"] == old
                    else self.fail(409)
                )
            if self.command == "DELETE":
                return self.send(api.remove(resource, name))
            if "watch" in query:
                return self.stream(resource, int(query["resourceVersion"]))
            if name:
                return self.send(api.objects[resource, name])
            return self.send({"metadata": {"resourceVersion": str(api.version)}, "items": api.slices()})

        def stream(self, resource: str, since: int) -> None:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for event in api.watch(resource, since):
                line = json.dumps({"type": event["type"], "object": event["object"]}).encode() + b"\n"
                self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
                self.wfile.flush()

        def fail(self, status: int) -> None:
            if status == 0:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            self.send({"kind": "Status", "code": status, "message": f"made-up failure {status}"}, status)

        def send(self, obj: Object, status: int = 200) -> None:
            data = json.dumps(obj).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    return Handler
