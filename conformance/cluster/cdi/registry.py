"""The CDI specs of a node, as its container runtime sees them (pkg/cdi/cache.go, spec-dirs.go)."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.cluster.cdi.edits import ContainerEdits
from conformance.cluster.cdi.errors import CdiError, quoted
from conformance.cluster.cdi.files import content
from conformance.cluster.cdi.spec import Device, Spec, read_spec

_Stamp = tuple[int, int, int]


@dataclass
class _Scan:
    """One look at the folders: what is there, and what was wrong with it."""

    specs: list[Spec] = field(default_factory=list)
    devices: dict[str, Device] = field(default_factory=dict)
    errors: dict[Path, list[str]] = field(default_factory=dict)


class CdiRegistry:
    """The spec files of some folders, read anew at every question.

    `dirs` go from low to high priority (a node has /etc/cdi, then /var/run/cdi); missing folders are no error. A device
    in a folder of higher priority hides one of the same name in a lower one; two in folders of equal priority drop the
    device. One bad file does not disturb the others.
    """

    def __init__(self, dirs: Sequence[Path]) -> None:
        self.dirs = tuple(dirs)
        self._lock = threading.Lock()
        self._read: dict[Path, tuple[_Stamp, Spec | CdiError]] = {}

    def specs(self) -> list[Spec]:
        """Valid specs, by folder in rising priority, then by file name."""
        return self._scan().specs

    def errors(self) -> dict[Path, str]:
        """What is wrong with which file: rejected ones, and those with a device that another file has too."""
        return {path: "\n".join(texts) for path, texts in self._scan().errors.items()}

    def devices(self) -> dict[str, Device]:
        """Devices that can be injected, by fully qualified name."""
        return self._scan().devices

    def unresolved(self, cdi_ids: Iterable[str]) -> list[str]:
        """Those of the names that no device has, in the order given."""
        devices = self._scan().devices
        return [cdi_id for cdi_id in cdi_ids if cdi_id not in devices]

    def edits(self, cdi_ids: Iterable[str]) -> ContainerEdits:
        """All edits for these devices: those of a spec once, before the ones of its first device.

        Raises CdiError ("unresolvable CDI devices a, b") when one is missing.
        """
        wanted = list(cdi_ids)
        found = self._scan().devices
        missing = [cdi_id for cdi_id in wanted if cdi_id not in found]
        if missing:
            raise CdiError(f"unresolvable CDI devices {', '.join(missing)}")
        edits = ContainerEdits()
        begun: set[Path] = set()
        for device in (found[cdi_id] for cdi_id in wanted):
            if device.spec.path not in begun:
                begun.add(device.spec.path)
                edits.append(device.spec.edits)
            edits.append(device.edits)
        return edits

    def devices_for(self, text: str) -> list[str]:
        """What mentions a text, such as a claim UID: paths of files (by name or content) and names of devices."""
        found = [str(path) for path, content in self.snapshot().items() if text in path.name or text in content]
        return found + [cdi_id for cdi_id in self.devices() if text in cdi_id]

    def snapshot(self) -> dict[Path, str]:
        """Every file in the folders with its content, also those that are no specs: evidence of what is left behind."""
        contents = {}
        for _, path in self._files(spec_files_only=False):
            try:
                contents[path] = content(path).decode(errors="replace")
            except OSError:
                continue  # removed meanwhile, or no file
        return contents

    def _files(self, *, spec_files_only: bool = True) -> Iterator[tuple[int, Path]]:
        for priority, folder in enumerate(self.dirs):
            try:
                paths = sorted(folder.iterdir())
            except FileNotFoundError:
                continue
            for path in paths:
                if (path.suffix in (".json", ".yaml") or not spec_files_only) and not _is_folder(path):
                    yield priority, path

    def _scan(self) -> _Scan:
        with self._lock:
            scan = _Scan()
            seen = {}
            for priority, path in self._files():
                result = self._load(path, priority)
                if result is not None:
                    seen[path] = self._read[path]
                    _take(scan, path, result)
            self._read = seen
        _drop_conflicts(scan)
        return scan

    def _load(self, path: Path, priority: int) -> Spec | CdiError | None:
        """The spec or why it is none; a file that did not change is not decoded again."""
        try:
            status = path.stat()
            stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
            known = self._read.get(path)
            if known is None or known[0] != stamp:
                known = self._read[path] = (stamp, _read(path, priority))
        except FileNotFoundError:
            return None
        except OSError as error:  # a loop of links
            known = self._read[path] = ((0, 0, 0), CdiError(f"failed to read CDI Spec {quoted(path)}: {error}"))
        return known[1]


def _is_folder(path: Path) -> bool:
    # A link to a folder counts as a file that cannot be read, as with Go's DirEntry.
    return path.is_dir() and not path.is_symlink()


def _read(path: Path, priority: int) -> Spec | CdiError:
    try:
        return read_spec(path, priority)
    except CdiError as error:
        return error


def _take(scan: _Scan, path: Path, result: Spec | CdiError) -> None:
    if isinstance(result, CdiError):
        scan.errors.setdefault(path, []).append(f"failed to load CDI Spec {result}")
        return
    scan.specs.append(result)


def _drop_conflicts(scan: _Scan) -> None:
    """Fill in the devices: higher priority hides lower, equal priority drops the name altogether."""
    conflicts = set()
    for spec in scan.specs:
        for cdi_id in spec.cdi_ids:
            other = scan.devices.get(cdi_id)
            if other is not None and other.spec.priority == spec.priority:
                conflicts.add(cdi_id)
                names = f"(specs {quoted(spec.path)}, {quoted(other.spec.path)})"
                for path in (spec.path, other.spec.path):
                    scan.errors.setdefault(path, []).append(f"conflicting device {quoted(cdi_id)} {names}")
            else:
                scan.devices[cdi_id] = Device(cdi_id, spec)
    for cdi_id in conflicts:
        del scan.devices[cdi_id]
