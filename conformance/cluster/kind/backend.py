"""A cluster made by kind as a Backend."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import conformance
from conformance.cluster.api import AlreadyExists, Api
from conformance.cluster.control_plane.recorder import Recorder
from conformance.cluster.kind import images, lifecycle, logs, tap_policy
from conformance.cluster.kind.command import run
from conformance.cluster.kind.engine import check_engine
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.manifests import Applier, namespaces_of, objects_of
from conformance.cluster.kind.node import SHADOW, KindNode
from conformance.cluster.kind.rights import without_claims
from conformance.cluster.protocol import Node
from conformance.history import History
from conformance.target import Target
from conformance.target.placeholders import fill
from conformance.verdict import Inconclusive

KUBERNETES_VERSION = "1.37.2"


@dataclass(frozen=True)
class KindSettings:
    """keep: leave the cluster for the next run, and use the one that an earlier run left."""

    kubernetes: str = KUBERNETES_VERSION
    real_timers: bool = False
    keep: bool = False


class KindBackend:
    """One control plane and two workers, the driver on both; checks look at the first worker."""

    kind = "kind"
    image = ""
    api: Api

    def __init__(
        self,
        run_dir: Path,
        history: History,
        *,
        log_dir: Path,
        settings: KindSettings | None = None,
        binaries: Callable[[], Path],
    ) -> None:
        """binaries: asked at the start for the folder with all programs, for `settings.kubernetes`."""
        self.history = history
        self.settings = settings or KindSettings()
        self.nodes: Sequence[Node] = []
        self._nodes: Sequence[KindNode] = []
        self._run_dir = run_dir
        self._log_dir = log_dir
        self._find = binaries
        self._running = ExitStack()
        self._objects: list[dict[str, Any]] = []

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig, in the run's folder."""
        return self._run_dir / "kubeconfig"

    def start(self) -> None:
        """Bring it up; what is up already is taken down again when something fails. Raises Inconclusive."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Take it down; its logs stay in the log folder. May be called twice."""
        nodes, self._nodes = self._nodes, ()
        try:
            if nodes:
                logs.collect(nodes, self.api, namespaces_of(self._objects), self._began, self._log_dir)
        finally:
            self._running.close()

    def install(self, target: Target) -> PodInstallation:
        """Make and load the driver's images, apply its manifests. Raises TargetError, ApiError, Inconclusive."""
        objects = objects_of(target)
        self._load(self._build(target))
        self._objects = objects
        applier = Applier(self.api)
        tap_policy.put_in_force(self.api, namespaces_of(objects), str(SHADOW))
        for obj in objects:
            applier.apply(tap_policy.labelled(obj) if obj["kind"] == "Namespace" else obj)
        for obj in target.class_objects():
            try:
                self.api.create("deviceclasses", obj)
            except AlreadyExists:
                continue
        for node in self._nodes:
            node.direct.under_test = target.driver_name
        installation = PodInstallation(target, self.nodes[0], self.api, self.history, objects)
        if self.settings.keep:
            self._running.callback(installation.stop)
        return installation

    @contextmanager
    def hide_claims(self) -> Iterator[None]:
        """Inside the block the driver has no right to read claims: the API server answers with 403."""
        with without_claims(self.api, self._objects):
            yield

    def describe(self) -> dict[str, Any]:
        """Kind, versions, settings: for the report."""
        info = self.api.get("nodes", self.nodes[0].name)["status"]["nodeInfo"] if self.nodes else {}
        return {
            "kind": self.kind,
            "kubernetes": info.get("kubeletVersion", self.settings.kubernetes),
            "runtime": info.get("containerRuntimeVersion", ""),
            "nodes": [node.name for node in self.nodes],
            "settings": asdict(self.settings),
        }

    def _start(self) -> None:
        check_engine()
        self._began = time.time()
        self._log_dir.mkdir(parents=True, exist_ok=True)
        self._binaries = self._find()
        kind = self._binaries / "kind"
        for name in lifecycle.sweep(kind):
            self._say(f"deleted cluster {name}, which a run that was killed had left")
        node_image = images.node_image(self._binaries, self.settings.kubernetes, self._say)
        name = lifecycle.KEPT if self.settings.keep else lifecycle.cluster_name(self._run_dir)
        cluster = lifecycle.Cluster(kind, name)
        cluster.take()
        self._running.callback(cluster.let_go if self.settings.keep else cluster.delete)
        if self.settings.keep and cluster.nodes("worker"):
            cluster.export(self.kubeconfig)
        else:
            self._create(cluster, node_image)
        self.api = Api.from_kubeconfig(self.kubeconfig)
        self._cluster = cluster
        recorder = Recorder(self.api, self.history)
        self._run(recorder.start, recorder.stop)
        nodes = [KindNode(worker, self.api, self.history) for worker in cluster.nodes("worker")]
        for node in nodes:
            self._run(node.start, node.stop)
            logs.prepare(node)
        self._nodes = self.nodes = nodes
        self.image = nodes[0].waiting_image()

    def _create(self, cluster: lifecycle.Cluster, node_image: str) -> None:
        config = self._run_dir / "kind.yaml"
        lifecycle.write_config(config, real_timers=self.settings.real_timers)
        cluster.create(node_image, config, self.kubeconfig, self._log_dir / "kind.log")

    def _build(self, target: Target) -> list[str]:
        install = target.file.install
        if install is None:
            return []
        target.build(self._say)
        for command in install.build:
            words = [fill(word, target.static_values()) for word in command]
            paths = [str(Path(conformance.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
            env = {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
            run(words, "make the driver's image", timeout=600, env=env)
        return list(install.images)

    def _load(self, tags: Sequence[str]) -> None:
        if not tags:
            return
        missing = [tag for tag in tags if not images.present(tag)]
        if missing:
            raise Inconclusive(f"image {missing[0]} is not there: pull or build it first")
        run(
            [
                self._binaries / "kind",
                *("load", "docker-image", *tags, "--name", self._cluster.name),
                *("--nodes", ",".join(self._cluster.nodes("worker"))),
            ],
            f"load {', '.join(tags)} onto the nodes",
            timeout=180,
            env={"PATH": f"{self._binaries}:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin"},
        )

    def _run(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        self._running.callback(stop)
        start()

    def _say(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")
