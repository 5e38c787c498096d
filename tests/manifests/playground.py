"""An embedded cluster with the reference driver, on which manifests are applied as they are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from conformance.cluster import Cluster, Pod, wait_for
from conformance.cluster.embedded import EmbeddedBackend
from conformance.cluster.resources import RESOURCES
from conformance.history import History
from conformance.target import Target
from tests.variants import REFERENCE, ROOT

FOLDER = ROOT / "examples" / "manifests"
_BY_KIND = {resource.kind: resource for resource in RESOURCES.values()}
_OURS = ("GPU_", "DRA_", "KUBERNETES_NODE_NAME")


class Playground:
    """The cluster; `apply` is `kubectl apply`, with unknown and doubled fields refused."""

    def __init__(self, backend: EmbeddedBackend, target: Target) -> None:
        self._backend = backend
        self._target = target

    def apply(self, manifest: str) -> "Story":
        """Create all objects of a file of examples/manifests."""
        objects = list(yaml.safe_load_all((FOLDER / f"{manifest}.yaml").read_text(encoding="utf-8")))
        return Story(self._cluster(manifest), [self._create(obj) for obj in objects])

    def slices(self) -> list[dict[str, Any]]:
        """What the driver has published."""
        return self._cluster("default").slices()

    def tainted(self, manifest: str) -> None:
        """Create a taint rule."""
        self.apply(manifest)

    def untainted(self) -> None:
        """Delete all taint rules."""
        self._backend.api.delete_collection("devicetaintrules")

    def _cluster(self, namespace: str) -> Cluster:
        return Cluster(self._backend, self._target, namespace, FOLDER)

    def _create(self, obj: dict[str, Any]) -> dict[str, Any]:
        resource = _BY_KIND[obj["kind"]]
        namespace, version = obj["metadata"].get("namespace"), obj["apiVersion"].rpartition("/")[2]
        path = resource.path(namespace, version=version)
        return self._backend.api.request("POST", path, query={"fieldValidation": "Strict"}, body=obj)


class Story:
    """What became of a manifest."""

    def __init__(self, cluster: Cluster, objects: list[dict[str, Any]]) -> None:
        self._cluster = cluster
        self._objects = objects

    def pod(self, name: str) -> Pod:
        """One of its pods."""
        return next(pod for pod in self.pods() if pod.name == name)

    def pods(self) -> list[Pod]:
        """Its pods."""
        return [Pod(self._cluster, obj) for obj in self._objects if obj["kind"] == "Pod"]

    def running(self) -> "Story":
        """The same once all of its pods run."""
        for pod in self.pods():
            pod.wait_running(timeout=20)
        return self

    def seen(self, pod: str, container: str = "main") -> Mapping[str, str]:
        """The variables of the driver that a container sees, with claims' UIDs, which are new each time, as "uid"."""
        env = self.pod(pod).container(container).env
        return {
            name: "uid" if name.endswith("_RESOURCE_CLAIM") else value
            for name, value in env.items()
            if name.startswith(_OURS)
        }

    def gpus(self, pod: str, container: str = "main") -> list[str]:
        """Names of the devices that a container sees, in order."""
        return sorted(value for value in self.seen(pod, container).values() if value.startswith("gpu-"))

    def claim(self, pod: str) -> dict[str, Any]:
        """The allocation of the pod's first claim."""
        claim = self.pod(pod).claim(self.pod(pod).get()["spec"]["resourceClaims"][0]["name"])
        allocation: dict[str, Any] = claim.get()["status"]["allocation"]
        return allocation

    def end(self) -> None:
        """Delete its namespace with all that is in it; wait until all devices are free."""
        api, name = self._cluster.api, self._cluster.namespace
        if any(obj["kind"] == "Namespace" for obj in self._objects):
            api.delete("namespaces", name)
            wait_for(lambda: not _names(api.list("namespaces")) & {name}, f"namespace {name} to be gone", timeout=30)


def _names(objects: Mapping[str, Any]) -> set[str]:
    return {obj["metadata"]["name"] for obj in objects["items"]}


@contextmanager
def playground(run_dir: Path, logs: Path, *arguments: str) -> Iterator[Playground]:
    """A cluster with the reference driver on it, started with more arguments."""
    file = yaml.safe_load(REFERENCE.read_text(encoding="utf-8"))
    file["process"]["command"] += arguments
    del file["install"]
    driver_file = logs / "driver.yaml"
    driver_file.write_text(yaml.safe_dump(file), encoding="utf-8")
    target = Target.load(str(driver_file))
    backend = EmbeddedBackend(run_dir, History(), log_dir=logs)
    backend.start()
    try:
        installation = backend.install(target)
        installation.start()
        installation.wait_ready()
        yield Playground(backend, target)
    finally:
        backend.stop()
