"""A cluster made by kind as a Backend."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from conformance.cluster.api import Api
from conformance.cluster.companion import companion
from conformance.cluster.control_plane.recorder import Recorder
from conformance.cluster.facts import feature_gates
from conformance.cluster.kind import audit, charts, driver_images, logs
from conformance.cluster.kind.bring_up import KUBECONFIG, bring_up
from conformance.cluster.kind.companion import installed
from conformance.cluster.kind.deploying import deploy
from conformance.cluster.kind.engine import check_engine
from conformance.cluster.kind.fleet import PodFleet
from conformance.cluster.kind.installation import PodInstallation
from conformance.cluster.kind.manifests import Applier, objects_of, prerequisites_of
from conformance.cluster.kind.node import SHADOW, KindNode, root_of
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.rights import without_claims, without_writes
from conformance.cluster.kind.settings import KindSettings
from conformance.cluster.kind.workloads import namespaces_of, require_tappable
from conformance.cluster.protocol import Installation, Node
from conformance.cluster.sharing import need_no_device
from conformance.history import History
from conformance.target import Target
from conformance.verdict import NotRun


class KindBackend:
    """One control plane and two workers, the driver on both.

    Checks that disturb nothing look at the first worker, those that disturb driver or node at the second.
    """

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
        programs: Programs,
    ) -> None:
        """programs: those for `settings.kubernetes`; what goes on is told to whom they tell it."""
        self.history = history
        self.settings = settings or KindSettings()
        self.nodes: Sequence[Node] = []
        self._nodes: Sequence[KindNode] = []
        self._run_dir = run_dir
        self._log_dir = log_dir
        self._programs = programs
        self._say = programs.say
        self._running = ExitStack()
        self._objects: list[dict[str, Any]] = []
        self._installations: Sequence[PodInstallation] = ()
        self._loaded: set[str] = set()
        self._gates: list[str] = []

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig, in the run's folder."""
        return self._run_dir / KUBECONFIG

    def start(self) -> None:
        """Bring it up; what is up already is taken down again when something fails. Raises Inconclusive."""
        try:
            self._start()
        except BaseException:
            self._nodes = ()
            self._running.__exit__(*sys.exc_info())  # so that a cluster that is kept is not taken for a good one
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
        """Make and load images, apply charts and manifests. Raises TargetError, ApiError, Inconclusive."""
        objects = objects_of(target, lambda: charts.renderer(self.api, self._say))
        if self.settings.tap:
            require_tappable(objects)
        prerequisites = prerequisites_of(target)
        self._load(target)
        self._objects = objects
        if self.settings.keep:
            self._running.callback(Applier(self.api).remove, [*prerequisites, *target.class_objects(), *objects])
        deploy(self.api, target, prerequisites, objects, str(SHADOW) if self.settings.tap else "")
        for node in self._nodes:
            node.direct.under_test = target.driver_name
        self._installations = [PodInstallation(target, node, self.api, self.history, objects) for node in self._nodes]
        return self._installations[0]

    def turn(self, *, disruptive: bool) -> PodInstallation:
        """The second worker is for what disturbs driver or node; where the driver is not on it, the first one is."""
        second = disruptive and self._installations[-1].placed()
        self.nodes = self._nodes[::-1] if second else self._nodes
        return self._installations[-1 if second else 0]

    @contextmanager
    def fleet(self, installation: Installation) -> Iterator[PodFleet]:
        """Both workers, on which the driver runs anyhow, in their order: the second one can be lost.

        Raises NotRun where it does not run on both, WaitTimeout.
        """
        need_no_device(installation.target)
        for each in self._installations:
            if not each.placed():
                raise NotRun(f"manifests bring no pod of {installation.target.driver_name} to {each.node.name}")
            if each is not installation:
                each.restore()
        turned, self.nodes = self.nodes, self._nodes
        try:
            yield PodFleet(self._installations, self._nodes, self.api)
        finally:
            self.nodes = turned

    @contextmanager
    def companion(self) -> Iterator[Target]:
        """Inside the block the reference driver runs, ready, under another name. Raises WaitTimeout, Inconclusive."""
        target, node = companion(), self._nodes[0]
        self._load(target)
        with installed(target, node, self.api, self.history, str(SHADOW) if self.settings.tap else ""):
            yield target

    @contextmanager
    def hide_claims(self) -> Iterator[None]:
        """Inside the block the driver has no right to read claims: the API server answers with 403."""
        with without_claims(self.api, self._objects):
            yield

    def refuse_writes(self, resource: str) -> AbstractContextManager[None]:
        """Inside the block the driver has no right to write a resource: the API server answers with 403."""
        return without_writes(self.api, self._objects, resource)

    def api_faults(self, installation: Installation) -> NoReturn:  # noqa: ARG002
        """Always raises NotRun."""
        raise NotRun("the driver's way to the API server is its pod's own, and cannot be disturbed on this cluster")

    def describe(self) -> dict[str, Any]:
        """Kind, versions, settings: for the report."""
        info = self.api.get("nodes", self.nodes[0].name)["status"]["nodeInfo"] if self.nodes else {}
        return {
            "kind": self.kind,
            "kubernetes": info.get("kubeletVersion", self.settings.kubernetes),
            "runtime": info.get("containerRuntimeVersion", ""),
            "kernel": info.get("kernelVersion", ""),
            "gates": self._gates,
            "nodes": [node.name for node in self.nodes],
            "settings": asdict(self.settings),
        }

    def _start(self) -> None:
        check_engine()
        self._began = time.time()
        self._log_dir.mkdir(parents=True, exist_ok=True)
        log = self._log_dir / "kind.log"
        self._cluster = bring_up(self.settings, self._programs, self._run_dir, log, self._running, self._say)
        self.api = Api.from_kubeconfig(self.kubeconfig)
        recorder = Recorder(self.api, self.history)
        self._run(recorder.start, recorder.stop)
        (control_plane,) = self._cluster.nodes("control-plane")
        requests = audit.AuditLog(Path(f"{root_of(control_plane)}{audit.PATH}"), self.history)
        self._run(requests.start, requests.stop)
        tap = self.settings.tap
        nodes = [KindNode(worker, self.api, self.history, tap=tap) for worker in self._cluster.nodes("worker")]
        for node in nodes:
            self._run(node.start, node.stop)
            logs.prepare(node)
        self._nodes = self.nodes = nodes
        self.image = nodes[0].waiting_image()
        self._gates = feature_gates(self.api)

    def _load(self, target: Target) -> None:
        tags = driver_images.tags(target)
        if not self._loaded >= set(tags):
            driver_images.load(self._cluster, driver_images.make(target, self._say))
            self._loaded.update(tags)

    def _run(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        self._running.callback(stop)
        start()
