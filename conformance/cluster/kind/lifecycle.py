"""The cluster's life: made for the run, deleted with it, and swept by the next run when this one was killed."""

import fcntl
import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path

from conformance.cluster.kind import creation, kept
from conformance.cluster.kind.command import run
from conformance.cluster.wait import wait_for
from conformance.target.build import cache_dir
from conformance.verdict import Inconclusive

PREFIX = "dra-conformance-"
KEPT = f"{PREFIX}kept"
UP = f"{PREFIX}up-"
"""How the names of those begin that `dra-conformance up` makes: they stay, whatever becomes of the command."""
_DELETION, _LOADING = 120.0, 180.0
_GONE_WITHIN = 20.0
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
        if not self.try_to_take():
            raise Inconclusive(f"cluster {self.name} is used by another run")

    def try_to_take(self) -> bool:
        """Make it ours unless another run has it."""
        self._lock = os.open(_lock_file(self.name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.let_go()
            return False
        return True

    def let_go(self) -> None:
        """It is no longer ours; it stays as it is. May be called twice."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def create(self, order: creation.Order) -> None:
        """Make it and wait until the control plane is ready; what failed half-way is deleted. Raises Inconclusive."""
        try:
            creation.create(self._kind, self.name, order)
        except BaseException:
            self.clear()
            raise

    def export(self, kubeconfig: Path) -> None:
        """Write the kubeconfig of a cluster that is there. Raises Inconclusive."""
        run(
            [self._kind, "export", "kubeconfig", "--name", self.name, "--kubeconfig", kubeconfig],
            "get the kubeconfig of the cluster",
            timeout=30,
        )

    def nodes(self, role: str = "", *, running: bool = False) -> list[str]:
        """Names of its nodes, of one role (control-plane, worker) or all, sorted; names of containers, too.

        running: only of those that run.
        """
        wanted = [f"label={_ROLE}={role}"] if role else []
        wanted += ["status=running"] if running else []
        return _containers(f"label={_OF_CLUSTER}={self.name}", *wanted)

    def load(self, tags: Sequence[str]) -> None:
        """Load images that the engine has onto its workers. Raises Inconclusive."""
        run(
            [
                self._kind,
                *("load", "docker-image", *tags, "--name", self.name),
                *("--nodes", ",".join(self.nodes("worker"))),
            ],
            f"load {', '.join(tags)} onto the nodes",
            timeout=_LOADING,
        )

    def clear(self) -> None:
        """Delete it and stay the one who may make it. Raises Inconclusive, WaitTimeout."""
        _delete(self._kind, self.name)

    def delete(self) -> None:
        """Delete it. May be called twice. Raises Inconclusive, WaitTimeout."""
        delete(self._kind, self.name)
        self.let_go()


def cluster_name(run_dir: Path) -> str:
    """The name of a run's cluster: a DNS label that says which run it is."""
    return PREFIX + re.sub(r"[^a-z0-9]+", "-", run_dir.name.lower()).strip("-")


def take_kept(kind: Path) -> Cluster:
    """The first of the clusters that are kept which no other run uses, made ours; it may not be there yet."""
    names = itertools.chain([KEPT], (f"{KEPT}-{number}" for number in itertools.count(2)))
    return next(cluster for cluster in (Cluster(kind, name) for name in names) if cluster.try_to_take())


def delete(kind: Path, name: str) -> None:
    """Delete a cluster by name and forget its lock. Raises Inconclusive, WaitTimeout."""
    _delete(kind, name)
    _lock_file(name).unlink(missing_ok=True)


def sweep(kind: Path) -> list[str]:
    """Delete the clusters of runs that are dead; returns their names. Those of living runs stay, and kept ones too.

    One that was to be kept stays only when the run that used it last came to its end, one of `dra-conformance up` when
    it was made to its end. Raises Inconclusive, WaitTimeout.
    """
    swept = []
    for name in sorted(set(_labels())):
        if not name.startswith(PREFIX) or not _is_free(name):
            continue
        stays = name.startswith((KEPT, UP))
        if not stays or not kept.is_whole(Cluster(kind, name).nodes()):
            delete(kind, name)
            swept.append(name)
    return swept


def _delete(kind: Path, name: str) -> None:
    nowhere = cache_dir() / "kind" / "no-kubeconfig"

    def gone() -> bool:
        # More than once: a container whose making was on its way when kind was killed comes late.
        run(
            [kind, "delete", "cluster", "--name", name, "--kubeconfig", nowhere],
            f"delete the cluster {name}",
            timeout=_DELETION,
        )
        return not Cluster(kind, name).nodes()

    wait_for(gone, f"the containers of cluster {name} to be gone", timeout=_GONE_WITHIN)


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
