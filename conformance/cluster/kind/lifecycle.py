"""The cluster's life: made for the run, deleted with it, and swept by the next run when this one was killed."""

import fcntl
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import yaml

from conformance.cluster.kind.assets import asset
from conformance.cluster.kind.command import run
from conformance.target.build import cache_dir
from conformance.verdict import Inconclusive

PREFIX = "dra-conformance-"
KEPT = f"{PREFIX}kept"
_CREATION, _DELETION = 240.0, 120.0
_OF_CLUSTER = "io.x-k8s.kind.cluster"
_ROLE = "io.x-k8s.kind.role"


class Cluster:
    """One cluster of kind. Who has it up holds the lock on its file, so that others know that it is in use."""

    def __init__(self, kind: Path, name: str) -> None:
        self.name = name
        self._kind = kind
        self._lock = -1

    def take(self) -> None:
        """Make it ours. Raises Inconclusive when another run has it."""
        self._lock = os.open(_lock_file(self.name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.let_go()
            raise Inconclusive(f"cluster {self.name} is used by another run") from None

    def let_go(self) -> None:
        """It is no longer ours; it stays as it is. May be called twice."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def create(self, image: str, config: Path, kubeconfig: Path, log: Path) -> None:
        """Make it and wait until the control plane is ready. Raises Inconclusive."""
        run(
            [
                self._kind,
                *("create", "cluster", "--name", self.name, "--image", image, "--wait", "60s"),
                *("--config", str(config), "--kubeconfig", str(kubeconfig)),
            ],
            "make a cluster with kind",
            timeout=_CREATION,
            log=log,
        )

    def export(self, kubeconfig: Path) -> None:
        """Write the kubeconfig of a cluster that is there. Raises Inconclusive."""
        run(
            [self._kind, "export", "kubeconfig", "--name", self.name, "--kubeconfig", kubeconfig],
            "get the kubeconfig of the cluster",
            timeout=30,
        )

    def nodes(self, role: str) -> list[str]:
        """Names of its nodes of a role (control-plane, worker), sorted; they are names of containers, too."""
        return _containers(f"label={_OF_CLUSTER}={self.name}", f"label={_ROLE}={role}")

    def delete(self) -> None:
        """Delete it. May be called twice. Raises Inconclusive."""
        delete(self._kind, self.name)
        self.let_go()


def write_config(path: Path, *, real_timers: bool) -> None:
    """Write the cluster's configuration, with kubelets that do not let checks wait unless real timers are asked for."""
    config = yaml.safe_load(asset("cluster.yaml").read_text(encoding="utf-8"))
    parts = ["kubelet.yaml"] if real_timers else ["kubelet.yaml", "kubelet-fast.yaml"]
    kubelet: dict[str, object] = {}
    for part in parts:
        kubelet |= yaml.safe_load(asset(part).read_text(encoding="utf-8"))
    config["kubeadmConfigPatches"].append(yaml.safe_dump(kubelet))
    path.write_text(yaml.safe_dump(config), encoding="utf-8")


def cluster_name(run_dir: Path) -> str:
    """The name of a run's cluster: a DNS label that says which run it is."""
    return PREFIX + re.sub(r"[^a-z0-9]+", "-", run_dir.name.lower()).strip("-")


def delete(kind: Path, name: str) -> None:
    """Delete a cluster by name and forget its lock. Raises Inconclusive."""
    nowhere = cache_dir() / "kind" / "no-kubeconfig"
    run(
        [kind, "delete", "cluster", "--name", name, "--kubeconfig", nowhere],
        f"delete the cluster {name}",
        timeout=_DELETION,
    )
    _lock_file(name).unlink(missing_ok=True)


def sweep(kind: Path, keep: Sequence[str] = (KEPT,)) -> list[str]:
    """Delete the clusters of runs that are dead; returns their names. Those of living runs and kept ones stay."""
    swept = []
    for name in sorted(set(_labels())):
        if name.startswith(PREFIX) and name not in keep and _is_free(name):
            delete(kind, name)
            swept.append(name)
    return swept


def _lock_file(name: str) -> Path:
    folder = cache_dir() / "kind"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.lock"


def _is_free(name: str) -> bool:
    lock = os.open(_lock_file(name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(lock)


def _labels() -> list[str]:
    form = f'{{{{.Label "{_OF_CLUSTER}"}}}}'
    listed = run(
        ["docker", "ps", "--all", "--filter", f"label={_OF_CLUSTER}", "--format", form],
        "list the clusters of kind",
        timeout=30,
    )
    return listed.split()


def _containers(*filters: str) -> list[str]:
    options = [word for entry in filters for word in ("--filter", entry)]
    listed = run(
        ["docker", "ps", "--all", *options, "--format", "{{.Names}}"], "list the nodes of the cluster", timeout=30
    )
    return sorted(listed.split())


def disk_full(folder: Path, needed: int) -> bool:
    """Whether a folder's file system has less than `needed` bytes left."""
    return shutil.disk_usage(folder).free < needed
