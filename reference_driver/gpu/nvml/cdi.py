"""What containers get for GPUs, laid out as NVIDIA's container toolkit does: nodes, files of the driver, hooks."""

import threading
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from reference_driver.plugin import ClaimError, ContainerEdits

from .facts import GpuFacts, MigFacts
from .installation import Installation, survey
from .options import NvmlOptions

_NEEDED = ("nvidiactl", "nvidia-uvm")
_IF_THERE = ("nvidia-uvm-tools", "nvidia-modeset")
_CAPABILITIES = "nvidia-caps"
_READ_ONLY = ("ro", "nosuid", "nodev", "rbind", "rprivate")
_LINKS = {
    "libcuda.so.": ("libcuda.so.1", "libcuda.so"),
    "libnvidia-opticalflow.so.": ("libnvidia-opticalflow.so.1", "libnvidia-opticalflow.so"),
    "libGLX_nvidia.so.": ("{name}", "libGLX_indirect.so.0"),
}
"""Links that programs look for and the driver's packages make, or a linker's cache does not: target and name."""


class Injection:
    """Edits for containers, from the files that are there now. A missing device node is an error: the kubelet tries
    again, and a container that silently lacks one does not work."""

    def __init__(self, options: NvmlOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._surveyed: tuple[str, Installation] = ("", Installation())
        self._minors: dict[str, int] = {}

    def common(self, version: str) -> ContainerEdits:
        """What every container with a GPU gets; `version` is the driver's. Raises ClaimError."""
        there = self.installation(version)
        nodes = [self._node(name) for name in _NEEDED]
        nodes += [self._node(name) for name in _IF_THERE if self._file(name).exists()]
        files = (*there.libraries, *there.programs, *there.firmware)
        mounts = [self._mount(path, *_READ_ONLY) for path in files]
        mounts += [self._mount(path, *_READ_ONLY, "noexec") for path in there.sockets]
        # What would make NVIDIA's own runtime add devices to those that the claim has.
        return ContainerEdits(["NVIDIA_VISIBLE_DEVICES=void"], nodes, mounts, list(_hooks(there)))

    def device(self, gpu: GpuFacts, mig: MigFacts | None) -> ContainerEdits:
        """The nodes of a GPU; for a MIG device also those that give access to its instances. Raises ClaimError."""
        nodes = [self._node(f"nvidia{gpu.minor}")]
        if mig:
            instance = f"gpu{gpu.minor}/gi{mig.instance}"
            nodes += [self._access(f"{instance}/access"), self._access(f"{instance}/ci{mig.compute}/access")]
        return ContainerEdits(device_nodes=nodes)

    def installation(self, version: str) -> Installation:
        """What the driver root has of this version. It is looked through once, unless it was not complete yet."""
        with self._lock:
            known, found = self._surveyed
            if known != version or not found.libraries:
                found = survey(self._options, version)
                self._surveyed = (version, found)
            return found

    def _node(self, name: str) -> dict[str, Any]:
        if not self._file(name).exists():
            raise ClaimError(
                f"there is no /dev/{name} ({self._file(name)}) that a container could be given; nvidia-modprobe, or the"
                " first use of the GPU, makes it"
            )
        node = {"path": f"/dev/{name}"}
        in_root = self._in_driver_root and self._options.driver_root != Path("/")
        return {**node, "hostPath": str(self._options.driver_root / "dev" / name)} if in_root else node

    def _access(self, capability: str) -> dict[str, Any]:
        """The node of a capability; its file need not be there, as its numbers say all."""
        minor = self._minor(capability)
        name = f"{_CAPABILITIES}/nvidia-cap{minor}"
        if self._file(name).exists():
            return self._node(name)
        return {"path": f"/dev/{name}", "type": "c", "major": self._major(), "minor": minor}

    def _minor(self, capability: str) -> int:
        if capability not in self._minors:
            self._minors = dict(self._table(f"proc/driver/{_CAPABILITIES}/mig-minors"))
        if capability not in self._minors:
            raise ClaimError(f"the NVIDIA driver has no capability {capability}: is the MIG device still there?")
        return self._minors[capability]

    def _major(self) -> int:
        numbers = {name: number for number, name in self._words("proc/devices") if name == _CAPABILITIES}
        if _CAPABILITIES not in numbers:
            raise ClaimError(f"/proc/devices has no {_CAPABILITIES}: the NVIDIA driver offers no access to MIG devices")
        return int(numbers[_CAPABILITIES])

    def _table(self, name: str) -> Iterator[tuple[str, int]]:
        return ((key, int(value)) for key, value in self._words(name) if value.isdecimal())

    def _words(self, name: str) -> Iterator[tuple[str, str]]:
        """Lines of two words."""
        try:
            lines = (self._options.system_root / name).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise ClaimError(f"/{name} cannot be read: {error}") from error
        yield from ((words[0], words[1]) for words in map(str.split, lines) if len(words) == 2)

    @property
    def _in_driver_root(self) -> bool:
        """Whether the driver root has device nodes of its own, as that of a driver in a container does."""
        return (self._options.mounted_root / "dev" / _NEEDED[0]).exists()

    def _file(self, name: str) -> Path:
        root = self._options.mounted_root if self._in_driver_root else self._options.system_root
        return root / "dev" / name

    def _mount(self, path: PurePosixPath, *options: str) -> dict[str, Any]:
        host = self._options.driver_root.joinpath(*path.parts[1:])
        return {"hostPath": str(host), "containerPath": str(path), "options": list(options)}


def _hooks(there: Installation) -> Iterator[dict[str, Any]]:
    """Links to libraries, then the linker's cache: in this order, so that the cache has the links."""
    if not there.hook or not there.libraries:
        return
    links = [
        f"{target.format(name=path.name)}::{path.with_name(link)}"
        for path in there.libraries
        for start, (target, link) in _LINKS.items()
        if path.name.startswith(start)
    ]
    if links:
        yield _hook(there.hook, "create-symlinks", *(word for link in links for word in ("--link", link)))
    folders = sorted({str(path.parent) for path in there.libraries})
    yield _hook(there.hook, "update-ldcache", *(word for folder in folders for word in ("--folder", folder)))


def _hook(program: PurePosixPath, name: str, *arguments: str) -> dict[str, Any]:
    """nvidia-ctk has the hooks of nvidia-cdi-hook below a command of their own."""
    before = ["hook"] if program.name == "nvidia-ctk" else []
    words = [program.name, *before, name, *arguments]
    return {"hookName": "createContainer", "path": str(program), "args": words}
