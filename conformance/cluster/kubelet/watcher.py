"""The plugin watcher: which sockets there are in the registry folder (pkg/kubelet/pluginmanager/pluginwatcher)."""

import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from conformance.cluster.kubelet.inotify import Inotify

Seen = Callable[[Path], None]


class PluginWatcher:
    """Tells of sockets that appear in a folder or its subfolders, and of paths that are deleted.

    Sockets that are there at the start count as appearing. What is no socket is left out, and what has a name that
    begins with a dot; a hidden folder only when it appears later: one that is there already is looked into. A socket
    that is renamed away is not seen to go; renamed to its place, it is seen to come. When the folder itself is deleted,
    the watch is lost for good, as in the kubelet.
    """

    def __init__(self, folder: Path, created: Seen, deleted: Seen) -> None:
        self._folder = folder
        self._created = created
        self._deleted = deleted
        self._stopping = threading.Event()
        self._inotify = Inotify()
        self._thread = threading.Thread(target=self._run, name=f"plugin-watcher {folder}", daemon=True)

    def start(self) -> None:
        """Report what is there, then watch in a thread. Raises OSError when the folder cannot be watched."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._walk(self._folder)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and free the descriptors."""
        self._stopping.set()
        self._inotify.wake()
        if self._thread.ident is not None:
            self._thread.join()
        self._inotify.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            for change in self._inotify.changes():
                if change.created:
                    self._appeared(change.path)
                else:
                    self._deleted(change.path)

    def _walk(self, folder: Path) -> None:
        # First watch, then look: a socket made in between is seen twice rather than never.
        self._inotify.add(folder)
        if folder.is_symlink():
            return  # as Go's filepath.Walk, which also passes over links to folders
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    self._walk(Path(entry.path))
                elif not entry.name.startswith(".") and stat.S_ISSOCK(entry.stat().st_mode):
                    self._created(Path(entry.path))

    def _appeared(self, path: Path) -> None:
        if path.name.startswith("."):
            return
        # What is gone again is reported as deleted too; what cannot be looked at, the kubelet logs and forgets.
        with suppress(OSError):
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                self._walk(path)
            elif stat.S_ISSOCK(mode):
                self._created(path)
