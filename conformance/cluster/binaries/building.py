"""Building the control plane's programs from Go modules, into the user's cache folder."""

import time
from pathlib import Path

from conformance.target.build import built_folder, cache_dir, locked
from conformance.target.gomodule import KUBERNETES, GoModule, Say, build_module

KUBERNETES_PROGRAMS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
PROGRAMS = ("etcd", *KUBERNETES_PROGRAMS)

ETCD = GoModule("go.etcd.io/etcd/server/v3", "v3.6.16", ["go.etcd.io/etcd/server/v3"], "etcd")

_STAMPED = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")


def cached(version: str) -> Path:
    """Folder of the programs of one version, such as 1.37.2, that were built here; it may not be there."""
    return cache_dir() / f"kubernetes-{version}"


def build(version: str, say: Say) -> Path:
    """Build etcd and one version of Kubernetes into `cached(version)`; two runs at once build once.

    Raises TargetError when Go cannot build it.
    """
    folder = cached(version)
    with locked(folder, say):
        if not complete(folder):
            _build(version, folder, say)
    return folder


def complete(folder: Path) -> bool:
    """Whether all programs are in the folder."""
    return all((folder / name).is_file() for name in PROGRAMS)


def _build(version: str, folder: Path, say: Say) -> None:
    started = time.monotonic()
    say(f"building Kubernetes {version} and etcd {ETCD.version} with Go; needed once, it takes about ten minutes")
    with built_folder(folder) as work:
        for number, module in enumerate((ETCD, _kubernetes(version)), 1):
            say(f"building {module.path} {module.version} ({number} of 2)")
            build_module(module, work / f"module-{number}", work / "out", say)
    say(f"built {folder} in {time.monotonic() - started:.0f} s")


def _kubernetes(version: str) -> GoModule:
    """Kubernetes with its version written into it, as its release build does: the API server tells it to clients."""
    major, minor, *_ = version.split(".")
    facts = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    stamps = " ".join(f"-X {package}.{name}={value}" for package in _STAMPED for name, value in facts.items())
    packages = [f"{KUBERNETES}/cmd/{name}" for name in KUBERNETES_PROGRAMS]
    return GoModule(KUBERNETES, f"v{version}", packages, ldflags=f"-s -w {stamps}")
