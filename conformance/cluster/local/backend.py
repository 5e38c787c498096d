"""What clusters with a node on this machine have in common: parts that are taken down in reverse, and installing."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from conformance.cluster.api import AlreadyExists, Api
from conformance.cluster.kubelet import Kubelet, KubeletSettings
from conformance.cluster.local.installation import LocalInstallation
from conformance.cluster.protocol import Node
from conformance.cluster.resources import RESOURCES
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive

NODE_NAME = "node-a"

_BY_KIND = {resource.kind: resource for resource in RESOURCES.values()}


class LocalBackend(ABC):
    """A cluster with one node of ours, the driver being a process beside it. `api` is there once it was started."""

    kind: str
    image = "example.com/pause"
    api: Api
    nodes: Sequence[Node]

    def __init__(self, run_dir: Path, history: History, *, log_dir: Path) -> None:
        """run_dir: private folder of the run, with a short path; log_dir: where logs go, also those of drivers."""
        self.history = history
        self.nodes = []
        self._run_dir = run_dir
        self._log_dir = log_dir
        self._running = ExitStack()

    @property
    def kubeconfig(self) -> Path:
        """File with what the driver needs to talk to the API server; written by start()."""
        return self._run_dir / "kubeconfig"

    def start(self) -> None:
        """Bring it up; what is up already is taken down again when something fails. Raises Inconclusive."""
        try:
            self._log_dir.mkdir(parents=True, exist_ok=True)
            self._start()
        except Exception as error:
            self.stop()
            reason = str(error) if isinstance(error, Inconclusive) else f"{type(error).__name__}: {error}"
            raise Inconclusive(f"the {self.kind} cluster did not start: {reason}") from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Take it down, the driver first; nothing is left behind. May be called twice."""
        self._running.close()

    def install(self, target: Target) -> LocalInstallation:
        """Create the driver's manifests and device classes; start nothing. Raises TargetError, ApiError."""
        target.build()
        for obj in [*target.objects(), *target.class_objects()]:
            self._create(obj, target)
        node = self._node
        node.direct.under_test = target.driver_name
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

    @abstractmethod
    def _start(self) -> None:
        """Bring up every part with `_run`, and set `api`."""

    @abstractmethod
    def _path_of(self, obj: dict[str, Any], target: Target) -> str:
        """The path to create an object at whose kind the suite does not know. Raises TargetError."""

    def _start_kubelet(self, api: Api, settings: KubeletSettings) -> None:
        kubelet = Kubelet(NODE_NAME, self._run_dir / "a", api, self.history, settings)
        self._run(kubelet.start, kubelet.stop)
        self._node = kubelet
        self.nodes = [kubelet]

    def _run(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        """Start a part, to be stopped before the parts that were started before it."""
        self._running.callback(stop)
        start()

    def _create(self, obj: dict[str, Any], target: Target) -> None:
        """Create an object; one that is there already, such as a class that a manifest brought, stays as it is."""
        resource = _BY_KIND.get(str(obj.get("kind")))
        with suppress(AlreadyExists):
            if resource is None:
                self.api.request("POST", self._path_of(obj, target), body=obj)
                return
            namespace = obj.get("metadata", {}).get("namespace", "default") if resource.namespaced else None
            self.api.create(resource.plural, obj, namespace)
