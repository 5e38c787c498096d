"""Folders of a node, mirrored below a local folder: files when somebody looks, registration sockets all the time."""

import base64
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from conformance.cluster.cdi import CdiRegistry
from conformance.cluster.existing.link import Link
from conformance.cluster.existing.sockets import TunnelledSocket
from conformance.verdict import Inconclusive

_PERIOD = 0.5  # seconds; a kubelet looks at its registry about as often


class MirroredCdi(CdiRegistry):
    """The CDI folders of a node; every question looks at the node anew. Raises Inconclusive when that fails."""

    def __init__(self, folders: Mapping[str, Path], link: Callable[[], Link]) -> None:
        """folders: local folder by the path that it has on the node, from low to high priority."""
        super().__init__(tuple(folders.values()))
        self._places = folders
        self._link = link
        self._stamps: dict[str, dict[str, Any]] = {path: {} for path in folders}
        self._copying = threading.Lock()

    def _files(self, *, spec_files_only: bool = True) -> Iterator[tuple[int, Path]]:
        with self._copying:
            for on_node, local in self._places.items():
                self._copy(on_node, local)
        yield from super()._files(spec_files_only=spec_files_only)

    def _copy(self, on_node: str, local: Path) -> None:
        stamps = self._stamps[on_node]
        entries: Mapping[str, Any] = self._link().call("folder", path=on_node, known=stamps) or {}
        local.mkdir(parents=True, exist_ok=True)
        for path in local.iterdir():
            if path.name not in entries:
                stamps.pop(path.name, None)
                _remove(path)
        for name, entry in entries.items():
            _write(local / name, entry)
            stamps[name] = entry.get("stamp")


def _write(path: Path, entry: Mapping[str, Any]) -> None:
    if entry["kind"] == "file":
        if "data" in entry:
            draft = path.parent.parent / f".{path.name}"
            draft.write_bytes(base64.b64decode(entry["data"]))
            if path.is_dir():
                _remove(path)
            draft.replace(path)
    elif entry["kind"] == "folder":
        path.mkdir(exist_ok=True)
    elif entry["kind"] == "link" and not path.is_symlink():
        path.symlink_to(".")  # leads to no file, like that on the node


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


class MirroredSockets:
    """Sockets of a node: those below its registry folder follow what is there, others are made when asked for."""

    def __init__(self, root: Path, registry: str, link: Callable[[], Link]) -> None:
        """root: the local folder that stands for the node's file system; registry: the folder's path on the node."""
        self._root = root
        self._registry = registry
        self._link = link
        self._lock = threading.Lock()
        self._known: dict[str, tuple[Any, TunnelledSocket]] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="registry mirror", daemon=True)

    def start(self) -> None:
        """Mirror what is there now, then follow. Raises Inconclusive."""
        self.local(self._registry).mkdir(parents=True, exist_ok=True)
        self.follow()
        self._thread.start()

    def stop(self) -> None:
        """Take all of them away."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()
        with self._lock:
            sockets = [socket for _, socket in self._known.values()]
            self._known.clear()
        for socket in sockets:
            socket.stop()

    def local(self, path: str) -> Path:
        """Where a path of the node is seen from here."""
        return self._root / path.lstrip("/")

    def reach(self, path: str) -> Path:
        """The local socket for one of the node, which need not be there yet."""
        with self._lock:
            if path not in self._known:
                self._known[path] = (None, self._made(path))
        return self.local(path)

    def pid(self, path: str) -> int:
        """The process on the node that listened at the latest connection to a socket, 0 when that is not known."""
        with self._lock:
            known = self._known.get(path)
        return known[1].pid if known else 0

    def follow(self) -> None:
        """Look at the registry folder once. Raises Inconclusive."""
        found: Mapping[str, Any] = self._link().call("sockets", path=self._registry)
        now = {f"{self._registry}/{name}": stamp for name, stamp in found.items()}
        with self._lock:
            for path, (stamp, socket) in list(self._known.items()):
                if path.startswith(f"{self._registry}/") and now.get(path) != stamp:
                    del self._known[path]
                    socket.stop()
            for path, stamp in now.items():
                if path not in self._known:
                    self._known[path] = (stamp, self._made(path))

    def _made(self, path: str) -> TunnelledSocket:
        made = TunnelledSocket(self.local(path), path, self._link)
        made.start()
        return made

    def _run(self) -> None:
        while not self._stopping.wait(_PERIOD):
            with suppress(Inconclusive):  # the kubelet is being restarted: look again later
                self.follow()
