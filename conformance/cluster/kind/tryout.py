"""A cluster to try a driver on by hand: made by kind, the driver installed as its users do it, nothing in between."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from conformance.cluster.api import Api, Object
from conformance.cluster.kind import charts, driver_images, kept, node_image
from conformance.cluster.kind.command import run
from conformance.cluster.kind.configuration import write_config
from conformance.cluster.kind.creation import Order
from conformance.cluster.kind.deploying import deploy
from conformance.cluster.kind.engine import check_engine
from conformance.cluster.kind.lifecycle import TRYOUT, Cluster, delete
from conformance.cluster.kind.manifests import check, objects_of, prerequisites_of
from conformance.cluster.kind.programs import Programs
from conformance.cluster.kind.settings import KUBERNETES_VERSION
from conformance.cluster.kind.workloads import namespaces_of
from conformance.cluster.wait import wait_for
from conformance.target import Target
from conformance.target.build import cache_dir
from conformance.target.model import DriverSection
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

_STARTED_WITHIN = 60.0
_VERSION = "version of Kubernetes"


def home() -> Path:
    """Folder with `kubeconfig` and, in `bin`, kubectl and kind; it is there as long as the cluster is."""
    return cache_dir() / "kind" / "tryout"


def up(target: Target, kubernetes: str, binaries: Path | None, say: Say) -> Path:
    """Make the cluster where there is none, install one more driver on it, wait until it is ready; returns `home()`.

    kubernetes: a version such as 1.36.1, "" for any; binaries: a folder with programs of Kubernetes.
    Raises TargetError, ApiError, Inconclusive; a cluster that is up stays up.
    """
    check(target)
    check_engine()
    programs = Programs(binaries, kubernetes or KUBERNETES_VERSION, home() / "programs", say)
    cluster = Cluster(programs.kind(), TRYOUT)
    cluster.take()
    try:
        wanted = {_VERSION: kubernetes} if kubernetes else {}
        if not cluster.nodes():
            _create(cluster, programs, bool(kubernetes), say)
        elif why := kept.why_not(TRYOUT, cluster.nodes(), wanted):
            raise Inconclusive(f"{TRYOUT} cannot be used: {why}; `dra-conformance cluster down` deletes it")
        api = Api.from_kubeconfig(home() / "kubeconfig")
        say(f"installing {target.driver_name}")
        driver_images.load(cluster, driver_images.make(target, say))
        objects = objects_of(target, lambda: charts.renderer(api, say))
        deploy(api, target, prerequisites_of(target), objects, shadow="")
        _wait_ready(target, api, namespaces_of(objects), cluster.nodes("worker"))
    finally:
        cluster.let_go()
    return home()


def down() -> bool:
    """Delete the cluster and its folder; whether there was one. Raises Inconclusive."""
    kind = home() / "bin" / "kind"
    if not kind.exists():
        return False
    check_engine()
    delete(kind, TRYOUT)
    shutil.rmtree(home())
    return True


def _create(cluster: Cluster, programs: Programs, exact: bool, say: Say) -> None:
    """Make it, and the folder `bin`; exact: whether no other patch version of Kubernetes will do."""
    shutil.rmtree(home(), ignore_errors=True)
    tools = home() / "bin"
    tools.mkdir(parents=True)
    (tools / "kind").symlink_to(programs.kind())
    image = node_image.provide("", programs.version, exact=exact, programs=programs.all, run_dir=home(), say=say)
    say(f"making the cluster {TRYOUT}")
    config = home() / "kind.yaml"
    write_config(config, KUBERNETES_VERSION, real_timers=False, network=not node_image.has_network(image))
    cluster.create(Order(image.reference, config, home() / "kubeconfig", home() / "kind.log", home()))
    kubectl = f"{TRYOUT}-control-plane:/usr/bin/kubectl"
    run(["docker", "cp", "--follow-link", kubectl, tools / "kubectl"], "get kubectl from the cluster", timeout=60)
    kept.leave(TRYOUT, {_VERSION: programs.version})


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
