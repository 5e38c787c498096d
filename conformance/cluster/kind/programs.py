"""The programs that a kind cluster is made of: found in folders, else built from their Go modules once."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.cluster.binaries import BinariesError, Wanted
from conformance.cluster.binaries import provide as provide_control_plane
from conformance.target import TargetError
from conformance.target.build import built_folder, cache_dir, locked
from conformance.target.gomodule import KUBERNETES, GoModule, build_module, go_is_there
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

CONTROL_PLANE = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
_OF_KUBERNETES = ("kubelet", "kubeadm", "kubectl", "kube-proxy")
_CONTAINERD = "github.com/containerd/containerd/v2"
_OF_CONTAINERD = ("containerd", "containerd-shim-runc-v2", "ctr")
_CNI = "github.com/containernetworking/plugins"
_PLUGINS = ("main/ptp", "main/loopback", "ipam/host-local", "meta/portmap")
KIND = GoModule("sigs.k8s.io/kind", "v0.33.0", ["sigs.k8s.io/kind"], "kind")
OTHERS = (
    KIND,
    GoModule("sigs.k8s.io/cri-tools", "v1.37.0", ["sigs.k8s.io/cri-tools/cmd/crictl"], "crictl"),
    GoModule(_CONTAINERD, "v2.4.2", [f"{_CONTAINERD}/cmd/{name}" for name in _OF_CONTAINERD]),
    GoModule(_CNI, "v1.9.1", [f"{_CNI}/plugins/{name}" for name in _PLUGINS]),
)
NODE = (*_OF_KUBERNETES, *(package.rpartition("/")[2] for module in OTHERS for package in module.packages))

_STAMPED = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")


@dataclass(frozen=True)
class Programs:
    """Where a run has its programs from: a folder that was given, what is cached, what has to be built.

    version: of Kubernetes, such as 1.37.2; links: a folder of the run, made for links when it is needed.
    """

    given: Path | None
    version: str
    links: Path
    say: Say

    def kind(self) -> Path:
        """The command kind. Raises Inconclusive."""
        return kind_command(self.given, self.version, self.say)

    def all(self) -> Path:
        """The folder with all programs that a node image is made of. Raises Inconclusive."""
        return provide(self.given, self.version, self.links, self.say)


def kind_command(given: Path | None, version: str, say: Say) -> Path:
    """The command kind: of the folder given, built before, on PATH, or built now. Raises Inconclusive."""
    alone = cache_dir() / f"kind-{KIND.version}"
    if found := _found("kind", given, cached(version), alone):
        return found
    if on_path := shutil.which("kind"):
        return Path(on_path)
    return _alone("kind", KIND, alone, say)


def kubectl_command(version: str, say: Say) -> Path:
    """The command kubectl of a version such as 1.37.2: built before, or built now; without Go any one that is on PATH.

    Raises Inconclusive.
    """
    alone = cache_dir() / f"kubectl-{version}"
    if found := _found("kubectl", cached(version), alone):
        return found
    if not go_is_there() and (on_path := shutil.which("kubectl")):
        return Path(on_path)
    return _alone("kubectl", _kubernetes(version, "kubectl"), alone, say)


def _found(name: str, *folders: Path | None) -> Path | None:
    return next((folder / name for folder in folders if folder and not lacking(folder, [name])), None)


def _alone(name: str, module: GoModule, folder: Path, say: Say) -> Path:
    """One program, built into a folder of its own."""
    if not go_is_there():
        raise Inconclusive(f"there is no command {name} on PATH, and no Go to build it with into {folder}")
    try:
        with locked(folder, say):
            if lacking(folder, [name]):
                say(f"building {name} of {module.path} {module.version}; needed once")
                with built_folder(folder) as work:
                    build_module(module, work / "module", work / "out", say)
    except TargetError as error:
        raise Inconclusive(f"{name} cannot be built: {error}") from None
    return folder / name


def provide(given: Path | None, version: str, links: Path, say: Say) -> Path:
    """A folder with all programs for a version such as 1.37.2: the one given, else `links`, with links to them.

    Raises Inconclusive with what is missing and cannot be built.
    """
    if given and not lacking(given, (*CONTROL_PLANE, *NODE)):
        return given
    try:
        control_plane = provide_control_plane(Wanted(given, version), say)
    except BinariesError as error:
        raise Inconclusive(str(error)) from None
    folder = given if given and not lacking(given, NODE) else build(version, say)
    links.mkdir(parents=True, exist_ok=True)
    for name in CONTROL_PLANE:
        (links / name).symlink_to(control_plane.programs[name])
    for name in NODE:
        (links / name).symlink_to(folder / name)
    return links


def lacking(folder: Path, names: Sequence[str]) -> list[str]:
    """Which of the programs are not in a folder."""
    return [name for name in names if not (folder / name).is_file()]


def cached(version: str) -> Path:
    """Folder of the programs of nodes that were built here; it may not be there."""
    return cache_dir() / f"kubernetes-node-{version}"


def build(version: str, say: Say) -> Path:
    """Build what nodes and kind need into `cached(version)`; two runs at once build once. Raises Inconclusive."""
    folder = cached(version)
    with locked(folder, say):
        if missing := lacking(folder, NODE):
            if not go_is_there():
                raise Inconclusive(f"{folder} has no {missing[0]}, and there is no Go on PATH to build it with")
            try:
                _build(version, folder, say)
            except TargetError as error:
                raise Inconclusive(f"the programs of nodes cannot be built: {error}") from None
    return folder


def _build(version: str, folder: Path, say: Say) -> None:
    started = time.monotonic()
    say(f"building the programs of nodes for Kubernetes {version} with Go; needed once, it takes about eight minutes")
    modules = (_kubernetes(version, *_OF_KUBERNETES), *OTHERS)
    with built_folder(folder) as work:
        for number, module in enumerate(modules, 1):
            say(f"building {module.path} {module.version} ({number} of {len(modules)})")
            build_module(module, work / f"module-{number}", work / "out", say)
    say(f"built {folder} in {time.monotonic() - started:.0f} s")


def _kubernetes(version: str, *names: str) -> GoModule:
    major, minor, *_ = version.split(".")
    facts = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    stamps = " ".join(f"-X {package}.{name}={value}" for package in _STAMPED for name, value in facts.items())
    packages = [f"{KUBERNETES}/cmd/{name}" for name in names]
    alone = names[0] if len(names) == 1 else ""
    return GoModule(KUBERNETES, f"v{version}", packages, alone, ldflags=f"-s -w {stamps}")
