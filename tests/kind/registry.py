"""A registry on this machine that serves one image: as much of the distribution API as `docker pull` asks for."""

import hashlib
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_TYPES = "application/vnd.docker"
_MANIFEST = f"{_TYPES}.distribution.manifest.v2+json"


@contextmanager
def registry(saved: Path, folder: Path) -> Iterator[str]:
    """Serve what `docker save` wrote, under any name; host and port. `folder` gets the parts of the image."""
    blobs, manifest = _unpack(saved, folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            _, version, *name, kind, reference = self.path.split("/") if self.path != "/v2/" else ("", "v2", "", "")
            if self.path == "/v2/":
                self._send(b"{}", "application/json", body=body)
            elif version == "v2" and name and kind == "manifests":
                self._send(manifest, _MANIFEST, body=body)
            elif reference in blobs:
                self._send(blobs[reference].read_bytes(), "application/octet-stream", body=body)
            else:
                self.send_error(404)

        def _send(self, content: bytes, content_type: str, *, body: bool) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Docker-Content-Digest", _digest(content))
            self.end_headers()
            if body:
                self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def _unpack(saved: Path, folder: Path) -> tuple[dict[str, Path], bytes]:
    """Parts of the image by their digests, and the manifest that names them."""
    with tarfile.open(saved) as tar:
        tar.extractall(folder, filter="data")
    (index,) = json.loads((folder / "manifest.json").read_text())
    config, *layers = (folder / name for name in (index["Config"], *index["Layers"]))
    blobs = {_digest(path.read_bytes()): path for path in (config, *layers)}
    rows = [{"digest": digest, "size": path.stat().st_size} for digest, path in blobs.items()]
    rows[0]["mediaType"] = f"{_TYPES}.container.image.v1+json"
    for row in rows[1:]:
        row["mediaType"] = f"{_TYPES}.image.rootfs.diff.tar"
    manifest = {"schemaVersion": 2, "mediaType": _MANIFEST, "config": rows[0], "layers": rows[1:]}
    return blobs, json.dumps(manifest).encode()


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
