"""A cluster to try a driver on by hand: made by kind, the driver installed as its users do it, nothing in between."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.cluster.api import Api, Object
from conformance.cluster.kind import charts, driver_images, kept, manifests, node_image
from conformance.cluster.kind.command import run
from conformance.cluster.kind.configuration import write_config
from conformance.cluster.kind.creation import Order
from conformance.cluster.kind.deploying import deploy
from conformance.cluster.kind.engine import check_engine
from conformance.cluster.kind.lifecycle import UP, Cluster, delete
from conformance.cluster.kind.manifests import objects_of, prerequisites_of
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.settings import KUBERNETES_VERSION
from conformance.cluster.kind.workloads import namespaces_of
from conformance.cluster.wait import wait_for
from conformance.target import Target
from conformance.target.model import DriverSection
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

_STARTED_WITHIN = 60.0
_VERSION = "version of Kubernetes"


def check(targets: Sequence[Target]) -> None:
    """Raises TargetError and Inconclusive for what is known to be wrong before there is a cluster."""
    for target in targets:
        manifests.check(target)
    check_engine()


class Tryout:
    """One such cluster. Its folder has `kubeconfig` and, in `bin`, kubectl and kind."""

    def __init__(self, name: str, home: Path) -> None:
        """`name`: of the user's choice; `home`: folder for what belongs to it."""
        self.name = UP + name
        self.kubeconfig = home / "kubeconfig"
        self.tools = home / "bin"
        self._home = home

    def make(self, kubernetes: str, binaries: Path | None, registry: str, say: Say) -> None:
        """Make it. `kubernetes`: a version such as 1.36.1, "" for any; binaries: a folder with programs of Kubernetes;
        registry: the mirror that published node images are pulled from, "" for where they are published.

        Raises Inconclusive; nothing is left of what failed half-way.
        """
        programs = Programs(binaries, kubernetes or KUBERNETES_VERSION, self._home / "programs", say)
        self.tools.mkdir(parents=True)
        (self.tools / "kind").symlink_to(programs.kind())
        with self._held() as cluster:
            exact = bool(kubernetes)
            image = node_image.provide(
                "",
                programs.version,
                exact=exact,
                registry=registry,
                programs=programs.all,
                run_dir=self._home,
                say=say,
            )
            say(f"making the cluster {self.name}")
            config = self._home / "kind.yaml"
            write_config(config, KUBERNETES_VERSION, real_timers=False, network=not node_image.has_network(image))
            cluster.create(Order(image.reference, config, self.kubeconfig, self._home / "kind.log", self._home))
            kubectl = f"{self.name}-control-plane:/usr/bin/kubectl"
            run(
                ["docker", "cp", "--follow-link", kubectl, self.tools / "kubectl"],
                "get kubectl from the cluster",
                timeout=60,
            )
            kept.leave(self.name, {_VERSION: programs.version})

    def look(self, kubernetes: str) -> None:
        """Raises Inconclusive when it cannot be used for what is wanted."""
        with self._held() as cluster:
            if why := kept.why_not(self.name, cluster.nodes(), {_VERSION: kubernetes} if kubernetes else {}):
                name = self.name.removeprefix(UP)
                raise Inconclusive(f"{self.name} cannot be used: {why}; dra-conformance down --name={name} deletes it")

    def install(self, target: Target, say: Say) -> None:
        """Install a driver and wait until it is ready. Raises TargetError, ApiError, Inconclusive."""
        api = Api.from_kubeconfig(self.kubeconfig)
        with self._held() as cluster:
            say(f"installing {target.driver_name}")
            driver_images.load(cluster, driver_images.make(target, say))
            objects = objects_of(target, lambda: charts.renderer(api, say))
            deploy(api, target, prerequisites_of(target), objects, shadow="")
            _wait_ready(target, api, namespaces_of(objects), cluster.nodes("worker"))

    def version(self) -> str:
        """Its version of Kubernetes, such as v1.37.2. Raises ApiError."""
        return str(Api.from_kubeconfig(self.kubeconfig).request("GET", "/version")["gitVersion"])

    def runs(self) -> bool:
        """Whether its control plane does. Raises Inconclusive."""
        return bool(Cluster(self._kind, self.name).nodes("control-plane", running=True))

    def delete(self) -> None:
        """Delete it. May be called twice. Raises Inconclusive."""
        if self._kind.exists():
            check_engine()
            delete(self._kind, self.name)

    @property
    def _kind(self) -> Path:
        return self.tools / "kind"

    @contextmanager
    def _held(self) -> Iterator[Cluster]:
        """Inside the block nobody else may change it. Raises Inconclusive."""
        cluster = Cluster(self._kind, self.name)
        cluster.take()
        try:
            yield cluster
        finally:
            cluster.let_go()


def _wait_ready(target: Target, api: Api, namespaces: Sequence[str], workers: Sequence[str]) -> None:
    """Wait until the pods in the driver's namespaces are ready and each driver has published. Raises WaitTimeout."""

    def missing() -> str:
        pods = [pod for namespace in namespaces for pod in api.list("pods", namespace)["items"]]
        unready = [pod["metadata"]["name"] for pod in pods if not _is_ready(pod)]
        if unready:
            return f"pod {unready[0]} is not ready; `kubectl describe pod` and `kubectl logs` say why"
        silent = (_silent(driver, api, workers) for driver in target.file.drivers)
        return next((text for text in silent if text), "")

    limit = _STARTED_WITHIN + target.ready_within
    wait_for(lambda: not missing(), f"driver {target.driver_name} to be ready", timeout=limit, otherwise=missing)


def _is_ready(pod: Object) -> bool:
    status = pod.get("status") or {}
    conditions = {row["type"]: row["status"] for row in status.get("conditions") or ()}
    return status.get("phase") == "Succeeded" or conditions.get("Ready") == "True"


def _silent(driver: DriverSection, api: Api, workers: Sequence[str]) -> str:
    """Where it has not published yet, in words; "" when it has everywhere."""
    items = api.list("resourceslices", field_selector=f"spec.driver={driver.name}")["items"]
    if driver.scope != "node-local":
        return "" if items else f"driver {driver.name} has published no ResourceSlice"
    published = {item["spec"].get("nodeName") for item in items}
    missing = [node for node in workers if node not in published]
    return f"driver {driver.name} has published no ResourceSlice for {', '.join(missing)}" if missing else ""
