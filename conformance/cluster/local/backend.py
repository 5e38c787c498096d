"""What clusters with nodes on this machine have in common: parts that are taken down in reverse, and installing."""

import itertools
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from conformance.cluster.api import AlreadyExists, Api
from conformance.cluster.companion import companion, remove_specs
from conformance.cluster.kubeconfig import Access, read_kubeconfig
from conformance.cluster.kubelet import Kubelet, KubeletSettings
from conformance.cluster.leaving import delete_node, delete_pods_on, delete_slices, delete_users_of
from conformance.cluster.local.apiproxy import ApiProxy
from conformance.cluster.local.fleet import LocalFleet
from conformance.cluster.local.installation import LocalInstallation
from conformance.cluster.protocol import Installation, Node
from conformance.cluster.resources import RESOURCES
from conformance.cluster.sharing import need_no_device
from conformance.history import History
from conformance.images import NOT_RUN
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun, WaitTimeout

NODE_NAME = "node-a"
SECOND_NODE_NAME = "node-b"

_BY_KIND = {resource.kind: resource for resource in RESOURCES.values()}


class LocalBackend(ABC):
    """A cluster with one node of ours, the driver being a process beside it. `api` is there once it was started.

    A second node exists inside `fleet` only, so that nothing else has to think of it.
    """

    kind: str
    image = NOT_RUN
    api: Api
    nodes: Sequence[Node]

    def __init__(self, run_dir: Path, history: History, *, log_dir: Path) -> None:
        """run_dir: private folder of the run, with a short path; log_dir: where logs go, also those of drivers."""
        self.history = history
        self.nodes = []
        self._run_dir = run_dir
        self._log_dir = log_dir
        self._running = ExitStack()
        self._instances = itertools.count()

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
        _prepare(self._node, target)
        installation = self._installation(target, self._node, target.name)
        self._running.callback(installation.stop)
        return installation

    @contextmanager
    def fleet(self, installation: Installation) -> Iterator[LocalFleet]:
        """Inside the block there is a second node with an instance of its own, ready. Raises WaitTimeout, NotRun."""
        need_no_device(installation.target)
        target, node = installation.target, self._kubelet(SECOND_NODE_NAME)
        with ExitStack() as leaving:
            leaving.callback(shutil.rmtree, node.root, ignore_errors=True)
            leaving.callback(delete_node, self.api, node.name)
            leaving.callback(node.stop)
            node.start()
            _prepare(node, target)
            self._write_kubeconfig(node.name)
            second = self._installation(target, node, f"{target.name}-{node.name}")
            _need_own_folders(self._installation(target, self._node, target.name), second)
            leaving.callback(second.stop)
            leaving.callback(delete_pods_on, self.api, node.name)
            leaving.callback(setattr, self, "nodes", self.nodes)
            self.nodes = [*self.nodes, node]
            instance = second.start()
            try:
                second.wait_ready()
            except WaitTimeout as reason:
                if instance.alive:
                    raise WaitTimeout(f"on {node.name}, a second node on this machine: {reason}") from None
                # A port that the first one has, perhaps: real nodes do not share a machine.
                raise NotRun(f"the driver does not run twice on this machine: {reason}") from None
            kubelets = {each.name: each for each in (self._node, node)}
            yield LocalFleet([installation, second], kubelets, self.api, self._write_kubeconfig)

    @contextmanager
    def api_faults(self, installation: Installation) -> Iterator[ApiProxy]:
        """Inside the block the driver was started with a kubeconfig that leads through a proxy. Raises WaitTimeout."""
        direct, folder = self.kubeconfig.read_bytes(), self._run_dir / "apiproxy"
        with ExitStack() as leaving:
            leaving.callback(shutil.rmtree, folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
            proxy = leaving.enter_context(ApiProxy(read_kubeconfig(self.kubeconfig), folder))
            leaving.callback(_start_anew, installation)
            leaving.callback(self.kubeconfig.write_bytes, direct)
            proxy.write_kubeconfig(self.kubeconfig)
            _start_anew(installation)
            installation.wait_ready()
            yield proxy

    @contextmanager
    def companion(self) -> Iterator[Target]:
        """Inside the block the reference driver runs, ready, under another name. Raises WaitTimeout."""
        target, node = companion(), self._node
        with ExitStack() as leaving:
            leaving.callback(shutil.rmtree, node.plugins_dir / target.driver_name, ignore_errors=True)
            leaving.callback(remove_specs, node.cdi_dir)
            leaving.callback(delete_slices, self.api, f"spec.driver={target.driver_name}")
            leaving.callback(self.api.delete, "deviceclasses", target.device_class)
            for obj in target.class_objects():
                self._create(obj, target)
            installation = self._installation(target, node, "companion")
            leaving.callback(installation.stop)
            leaving.callback(delete_users_of, self.api, target.driver_name)
            installation.start()
            installation.wait_ready()
            yield target

    @property
    @abstractmethod
    def administrator(self) -> Access:
        """The API server, and credentials of somebody who may do everything; there once it was started."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Kind, Kubernetes version, runtime, settings: for the report."""

    def placeholders(self, node: Kubelet | None = None) -> dict[str, str]:
        """Values for the placeholders of driver files that depend on a node, by default the first, and its cluster."""
        node = node or self._node
        return {
            "kubeconfig": str(self._kubeconfig_of(node.name)),
            "node_name": node.name,
            "node_root": str(node.root),
            "kubelet_dir": str(node.registry_dir.parent),
            "plugins_dir": str(node.plugins_dir),
            "registry_dir": str(node.registry_dir),
            "cdi_dir": str(node.cdi_dir),
            "boot_id_file": str(node.root / "boot_id"),
        }

    @abstractmethod
    def _start(self) -> None:
        """Bring up every part with `_run`, and set `api`."""

    @abstractmethod
    def _path_of(self, obj: dict[str, Any], target: Target) -> str:
        """The path to create an object at whose kind the suite does not know. Raises TargetError."""

    @abstractmethod
    def _kubelet_api(self, node: str) -> Api:
        """The client of a node's kubelet."""

    @abstractmethod
    def _kubelet_settings(self) -> KubeletSettings:
        """Periods and limits of every kubelet."""

    @abstractmethod
    def _write_kubeconfig(self, node: str) -> None:
        """Write what the driver on a node needs to talk to the API server; the Node object must be there."""

    def _kubeconfig_of(self, node: str) -> Path:
        return self.kubeconfig if node == NODE_NAME else self.kubeconfig.with_name(f"kubeconfig-{node}")

    def _kubelet(self, name: str) -> Kubelet:
        """The kubelet of a node, not started. Its folder is the last letter of its name: paths of sockets are short."""
        root = self._run_dir / name[-1]
        return Kubelet(name, root, self._kubelet_api(name), self.history, self._kubelet_settings())

    def _start_kubelet(self) -> None:
        self._node = self._kubelet(NODE_NAME)
        self._run(self._node.start, self._node.stop)
        self.nodes = [self._node]
        self._write_kubeconfig(NODE_NAME)

    def _installation(self, target: Target, node: Kubelet, log_name: str) -> LocalInstallation:
        return LocalInstallation(
            target,
            node,
            self.api,
            self.history,
            values=self.placeholders(node),
            run_dir=self._run_dir,
            log_dir=self._log_dir,
            log_name=log_name,
            numbers=self._instances,
        )

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


def _prepare(node: Kubelet, target: Target) -> None:
    """Let a node know which driver it is for, and what hardware it is taken to have."""
    node.direct.under_test = target.driver_name
    node.runtime.device_nodes = target.device_nodes


def _start_anew(installation: Installation) -> None:
    """Kill what lives of the driver and start it again, in the same pod; waits for nothing."""
    uid = None
    for instance in installation.instances:
        uid = instance.uid
        instance.kill()
    installation.start(uid=uid)


def _need_own_folders(first: LocalInstallation, second: LocalInstallation) -> None:
    """Go on only where no folder is that of both nodes: state of the one would be state of the other. Raises NotRun."""
    for folder in sorted(first.folders & second.folders):
        raise NotRun(
            f"both nodes are this machine, and folder {folder} of the driver would be that of both; "
            f"begin it with {{node_root}} or {{plugins_dir}} in process of {first.target.path}"
        )
