"""The embedded cluster as a Backend: everything wired up in this process, the driver as a process beside it."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from conformance.cluster.api import AlreadyExists, Api
from conformance.cluster.embedded.apiserver import ApiServer
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.controllers import Controllers
from conformance.cluster.embedded.installation import LocalInstallation
from conformance.cluster.embedded.scheduler import Scheduler, SchedulerSettings
from conformance.cluster.kubelet import Kubelet, KubeletSettings
from conformance.cluster.protocol import Node
from conformance.cluster.resources import RESOURCES
from conformance.history import History
from conformance.target import Target, TargetError
from conformance.verdict import Inconclusive

KUBERNETES_VERSION = "v1.37.2"
NODE_NAME = "node-a"

_BY_KIND = {resource.kind: resource for resource in RESOURCES.values()}


@dataclass(frozen=True)
class EmbeddedSettings:
    """Periods of what the suite plays itself; what the contract gives a driver is never cut."""

    kubelet: KubeletSettings = field(default_factory=KubeletSettings)
    scheduler: SchedulerSettings = field(default_factory=SchedulerSettings)


class EmbeddedBackend:
    """A cluster with one node, up in well under a second. Needs no root, no Docker and no Kubernetes.

    `api`, the harness's client, is there once it was started.
    """

    kind = "embedded"
    image = "example.com/pause"
    api: Api
    nodes: Sequence[Node]

    def __init__(
        self, run_dir: Path, history: History, *, settings: EmbeddedSettings | None = None, log_dir: Path
    ) -> None:
        """run_dir: private folder of the run, with a short path; log_dir: where drivers' logs go."""
        self.history = history
        self.settings = settings or EmbeddedSettings()
        self.nodes = []
        self._run_dir = run_dir
        self._log_dir = log_dir
        self._server = ApiServer(run_dir, history)
        self._running = ExitStack()

    @property
    def kubeconfig(self) -> Path:
        """File with what the driver needs to talk to the API server; written by start()."""
        return self._run_dir / "kubeconfig"

    def start(self) -> None:
        """Bring it up; what is up already is taken down again when something fails. Raises Inconclusive."""
        try:
            self._start()
        except Exception as error:
            self.stop()
            raise Inconclusive(f"the embedded cluster did not start: {type(error).__name__}: {error}") from error

    def stop(self) -> None:
        """Take it down: drivers, kubelet, scheduler, controllers, server. May be called twice."""
        self._running.close()

    def install(self, target: Target) -> LocalInstallation:
        """Create the driver's manifests and device classes; start nothing. Raises TargetError, ApiError."""
        target.build()
        for obj in [*target.objects(), *target.class_objects()]:
            self._create(obj, target)
        node = self._node
        values = {
            "kubeconfig": str(self.kubeconfig),
            "node_name": node.name,
            "node_root": str(node.root),
            "kubelet_dir": str(node.registry_dir.parent),
            "plugins_dir": str(node.plugins_dir),
            "registry_dir": str(node.registry_dir),
            "cdi_dir": str(node.cdi_dir),
            "boot_id_file": str(node.root / "boot_id"),
        }
        installation = LocalInstallation(
            target, node, self.api, self.history, values=values, run_dir=self._run_dir, log_dir=self._log_dir
        )
        self._running.callback(installation.stop)
        return installation

    @contextmanager
    def hide_claims(self) -> Iterator[None]:
        """Inside the block the API server shows no claim to the driver: it answers each GET with 404."""
        fault = self._server.faults.add(_driver_gets_claim, 404, times=sys.maxsize)
        try:
            yield
        finally:
            fault.times = 0

    def describe(self) -> dict[str, Any]:
        """Kind, Kubernetes version that is played, runtime, settings: for the report."""
        return {
            "kind": self.kind,
            "kubernetes": KUBERNETES_VERSION,
            "runtime": "embedded (CDI only)",
            "nodes": [node.name for node in self.nodes],
            "settings": asdict(self.settings),
        }

    def _start(self) -> None:
        self._log_dir.mkdir(parents=True, exist_ok=True)
        self._run(self._server.start, self._server.stop)
        self._server.kubeconfig(self.kubeconfig)
        store = self._server.store
        controllers = Controllers(store, self.history)
        self._run(controllers.start, controllers.stop)
        scheduler = Scheduler(store, self.history, self.settings.scheduler)
        self._run(scheduler.start, scheduler.stop)
        kubelet = Kubelet(
            NODE_NAME, self._run_dir / "a", self._server.api("kubelet"), self.history, self.settings.kubelet
        )
        self._run(kubelet.start, kubelet.stop)
        self._node = kubelet
        self.nodes = [kubelet]
        self.api = self._server.api("harness")

    def _run(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        self._running.callback(stop)
        start()

    def _create(self, obj: dict[str, Any], target: Target) -> None:
        """Create an object; one that is there already, such as a class that a manifest brought, stays as it is."""
        resource = _BY_KIND.get(str(obj.get("kind")))
        if resource is None:
            raise TargetError(
                f"{target.path}: manifests: the embedded cluster has no {obj.get('kind')}; "
                "leave it out, or use another cluster"
            )
        namespace = obj.get("metadata", {}).get("namespace", "default") if resource.namespaced else None
        with suppress(AlreadyExists):
            self.api.create(resource.plural, obj, namespace)


def _driver_gets_claim(info: RequestInfo) -> bool:
    return info.user == "driver" and info.verb == "get" and info.full_resource == "resourceclaims"
