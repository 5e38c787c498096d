"""Somebody's cluster as a Backend: a driver that is on it is judged, and nothing but that is touched."""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from conformance.cluster.api import AlreadyExists, Api, NotFound, Object
from conformance.cluster.control_plane.recorder import Recorder
from conformance.cluster.existing import own
from conformance.cluster.existing.access import read_context, server_version
from conformance.cluster.existing.choice import choose
from conformance.cluster.existing.devices import claims_free
from conformance.cluster.existing.fleet import ExistingFleet
from conformance.cluster.existing.installation import ExistingInstallation
from conformance.cluster.existing.node import ExistingNode
from conformance.cluster.existing.nodepod import NodePod
from conformance.cluster.existing.nudger import Nudger
from conformance.cluster.existing.settings import ExistingSettings, Unusable
from conformance.cluster.facts import feature_gates
from conformance.cluster.kubeconfig import Access
from conformance.cluster.protocol import ApiFaults, Installation, Node
from conformance.history import History
from conformance.images import PAUSE
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun


class ExistingBackend:
    """A cluster that was there before and stays. Checks look at the first of the chosen nodes."""

    kind = "existing"
    image = PAUSE
    api: Api

    def __init__(self, run_dir: Path, history: History, *, target: Target, settings: ExistingSettings) -> None:
        self.history = history
        self.settings = settings
        self.nodes: Sequence[Node] = []
        self._run_dir = run_dir
        self._target = target
        self._nodes: Sequence[ExistingNode] = []
        self._installed: Sequence[ExistingInstallation] = []
        self._running = ExitStack()
        self._version = ""
        self._gates: list[str] = []
        self._elsewhere: set[str] = set()

    def start(self) -> None:
        """Make a namespace and a pod on each node, and connect. Raises Inconclusive."""
        try:
            self._start()
        except Unusable as error:
            self.stop()
            raise Inconclusive(str(error)) from None
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Remove all that was made, and wait until it is gone. May be called twice. Raises Inconclusive."""
        self._running.close()

    def install(self, target: Target) -> ExistingInstallation:
        """The driver that is there; device classes of its file that are not there are made for the run."""
        for obj in target.class_objects():
            try:
                self.api.get("deviceclasses", obj["metadata"]["name"])
            except NotFound:
                self._make_class(obj)
        for node in self._nodes:
            node.direct.under_test = target.driver_name
        installation = ExistingInstallation(target, self._nodes[0], self.api, self.history)
        self._installed = [installation]
        return installation

    def own_name(self, name: str) -> str:
        """A name for an object of the whole cluster that nobody else has."""
        return self._own.own_name(name)

    def elsewhere(self, names: Collection[str]) -> set[str]:
        """Those of the names that are nodes of the cluster which nobody looks at."""
        looked_at = {node.name for node in self.nodes}
        for name in set(names) - looked_at - self._elsewhere - {""}:
            with suppress(NotFound):
                self.api.get("nodes", name)
                self._elsewhere.add(name)
        return self._elsewhere & set(names)

    def claims_free(self, target: Target) -> int:
        """How many valid claims the first node has room for beside those of others."""
        slices = self.api.list("resourceslices", field_selector=f"spec.driver={target.driver_name}")["items"]
        claims = self.api.list("resourceclaims")["items"]
        return claims_free(target, self._nodes[0].name, slices, claims, self._own.namespaces)

    @contextmanager
    def fleet(self, installation: Installation) -> Iterator[ExistingFleet]:
        """The driver on all nodes that were named. Raises NotRun where these are fewer than two, WaitTimeout."""
        if len(self._nodes) < 2:
            raise NotRun("only one node is looked at; name another one with --node")
        target = installation.target
        others = [ExistingInstallation(target, node, self.api, self.history) for node in self._nodes[1:]]
        for other in others:
            other.start()
            other.wait_ready(timeout=target.ready_within)
        yield ExistingFleet([*self._installed, *others])

    def companion(self) -> AbstractContextManager[Target]:
        """Always raises NotRun."""
        raise NotRun("the suite installs no driver of its own on a cluster that others use")

    def hide_claims(self) -> AbstractContextManager[None]:
        """Always raises NotRun."""
        raise NotRun("the rights of a driver that was there before are not changed, so claims cannot be hidden from it")

    def refuse_writes(self, resource: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """Always raises NotRun."""
        raise NotRun("the rights of a driver that was there before are not changed, so no write of it is refused")

    def api_faults(self, installation: Installation) -> AbstractContextManager[ApiFaults]:  # noqa: ARG002
        """Always raises NotRun."""
        raise NotRun("the way of a driver that was there before to the API server is not disturbed")

    def describe(self) -> dict[str, Any]:
        """Kind, versions, nodes: for the report."""
        info = self.api.get("nodes", self.nodes[0].name)["status"]["nodeInfo"] if self.nodes else {}
        return {
            "kind": self.kind,
            "kubernetes": self._version,
            "runtime": info.get("containerRuntimeVersion", ""),
            "kernel": info.get("kernelVersion", ""),
            "gates": self._gates,
            "nodes": [node.name for node in self.nodes],
            "settings": {"named": list(self.settings.nodes), "node_image": self.settings.node_image},
        }

    def _start(self) -> None:
        context = read_context(self.settings.kubeconfig)
        self.api = self._own = own.OwnApi(context.access)
        self._running.callback(self.api.close)
        self._version = server_version(self.api)
        own.sweep(self.api, self._say)
        chosen = choose(self.api, self._target, self.settings.nodes)
        recorder = Recorder(self.api, self.history, partial(self._concerns, [n["metadata"]["name"] for n in chosen]))
        self._run(recorder.start, recorder.stop)
        nudger = Nudger(self.api, self._own.run)
        self._run(nudger.start, nudger.stop)
        self._running.callback(own.remove, self.api, self._own.run)
        home = self.own_name("dra-conformance")
        self.api.create("namespaces", {"metadata": {"name": home, "labels": {own.HOME: "true"}}})
        self.nodes = self._look_at(chosen, home, context.access)
        self.image = _waiting_image(chosen[0], self.settings.pause)
        self._gates = feature_gates(self.api)

    def _look_at(self, chosen: Sequence[Object], home: str, access: Access) -> Sequence[Node]:
        """The nodes, each with a pod in the namespace `home` that looks at it. Raises Inconclusive."""
        nodes: list[ExistingNode] = []
        for number, obj in enumerate(chosen):
            pod = NodePod(self._own, access, home, obj["metadata"]["name"], self.settings.node_image, number)
            pod.start()
            node = ExistingNode(obj, self.api, self.history, self._run_dir / f"n{number}", pod.connect)
            self._run(node.start, node.stop)
            nodes.append(node)
        self._nodes = nodes
        return list(nodes)

    def _make_class(self, obj: Object) -> None:
        self._say(f"DeviceClass {obj['metadata']['name']} is not there: made for this run")
        try:
            self.api.create("deviceclasses", obj)
        except AlreadyExists:
            return

    def _concerns(self, nodes: Sequence[str], resource: str, obj: Object) -> bool:
        """Whether an object may go into the history: ours, and the driver's on the nodes that are looked at."""
        meta = obj["metadata"]
        if resource == "nodes":
            return meta["name"] in nodes
        if resource == "resourceslices":
            drivers = {driver.name for driver in self._target.file.drivers}
            return obj["spec"]["driver"] in drivers and obj["spec"].get("nodeName") in (None, *nodes)
        if resource == "deviceclasses":
            return meta["name"] in self._target.device_classes or own.RUN in (meta.get("labels") or {})
        return meta.get("namespace") in self._own.namespaces

    def _run(self, start: Callable[[], object], stop: Callable[[], object]) -> None:
        self._running.callback(stop)
        start()

    def _say(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")


def _waiting_image(node: Object, otherwise: str) -> str:
    """An image whose container just waits: that of pods' sandboxes, where the node tells its name."""
    names = [name for image in (node.get("status") or {}).get("images") or () for name in image.get("names") or ()]
    found = sorted(name for name in names if "/pause:" in name)
    return found[-1] if found else otherwise
