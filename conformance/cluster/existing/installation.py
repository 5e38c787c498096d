"""A driver that was on the cluster before: looked at, killed where that was allowed, and otherwise left alone."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

from conformance.cluster.api import Api, Object
from conformance.cluster.existing.elsewhere import ElsewhereInstance
from conformance.cluster.existing.instance import DriverPod, ExistingInstance
from conformance.cluster.existing.node import ExistingNode
from conformance.cluster.local.readiness import incomplete_pools
from conformance.cluster.protocol import Instance, Node
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.target import Target
from conformance.target.model import DriverSection
from conformance.verdict import Inconclusive, NotRun

_FOUND_WITHIN = 30.0
_RESTARTED_WITHIN = 240.0  # seconds; a kubelet waits up to 300 before it starts a container that ended often
_SETTLED_WITHIN = 300.0


class ExistingInstallation:
    """The driver on one node, found by who listens on its sockets."""

    def __init__(self, target: Target, node: ExistingNode, api: Api, history: History) -> None:
        self.target = target
        self.node: Node = node
        self._node = node
        self._api = api
        self._history = history
        self._known: dict[str, ExistingInstance] = {}
        self._elsewhere = ElsewhereInstance(node.name)

    @property
    def state_dir(self) -> Path:
        """Always raises NotRun."""
        raise NotRun("the state of a driver that was there before is left alone")

    @property
    def instances(self) -> Sequence[Instance]:
        """Living instances, oldest first."""
        if not self.target.driver.node_plugin:
            return [self._elsewhere]
        pods = self._pods()
        for pid in self._listeners():
            self._discover(pid, pods)
        for instance in list(self._known.values()):
            if not instance.alive:
                self._discover_next(instance, pods)
        return [instance for instance in self._known.values() if instance.alive]

    def start(self, *, uid: str | None = None, next_version: bool = False) -> Instance:
        """The instance that is there; with `uid`, in that pod, where the kubelet may have to start it again first.

        Raises WaitTimeout, NotRun.
        """
        if next_version:
            self._refuse("another version of it is not started")
        if uid is None:
            what = (
                f"driver {self.target.driver_name} to answer on a socket in plugins_registry of node {self.node.name}"
            )
            found = wait_for(lambda: list(self.instances), what, timeout=_FOUND_WITHIN)
            return found[-1]

        def started() -> Instance | None:
            return next((one for one in reversed(self.instances) if one.uid == uid), None)

        return wait_for(started, "the kubelet to start the driver's container again", timeout=_RESTARTED_WITHIN)

    def wait_ready(self, *, timeout: float = 60) -> None:
        """Wait until it answers on its sockets and its pools are published and complete. Raises WaitTimeout."""
        what = f"driver {self.target.driver_name} to be ready"
        wait_for(lambda: not self._missing(), what, timeout=timeout, otherwise=self.trouble)

    def trouble(self) -> str:
        """What keeps it from being ready, and its last log lines; "" when it is ready."""
        missing = self._missing()
        if not missing:
            return ""
        log = next((one.log_tail() for one in reversed(list(self._known.values()))), "")
        return f"{missing}; its log ends with:\n{log}" if log else missing

    def restore(self) -> None:
        """Wait until exactly one instance is ready: nothing else is done to it. Raises WaitTimeout."""

        def settled() -> bool:
            return len(self.instances) == 1 and not self._missing()

        wait_for(settled, "exactly one ready instance", timeout=_SETTLED_WITHIN, otherwise=self.trouble)

    def restart(self) -> Instance:
        """SIGKILL the only instance; the kubelet starts it again in the same pod; wait until it is ready."""
        alive = self.instances
        if len(alive) != 1:
            raise Inconclusive(f"{len(alive)} instances of the driver live where one was expected")
        alive[0].kill()
        new = self.start(uid=alive[0].uid)
        self.wait_ready(timeout=self.target.ready_within)
        return new

    def away(self) -> AbstractContextManager[None]:
        """Always raises NotRun."""
        self._refuse("it is not taken off its node")

    def hook(self, name: str, *, device: str = "", pool: str = "") -> NoReturn:  # noqa: ARG002
        """Always raises NotRun."""
        raise NotRun("hooks of the driver file are not run on a cluster that others use")

    def roll_out(self) -> AbstractContextManager[tuple[Instance, Instance]]:
        """Always raises NotRun."""
        self._refuse("it is not updated")

    def _refuse(self, consequence: str) -> NoReturn:
        raise NotRun(f"driver {self.target.driver_name} was on this cluster before the suite, so {consequence}")

    def _listeners(self) -> list[int]:
        """Processes that listen on the sockets of the driver, as of the latest connections to them."""
        found = []
        for registration in self.node.registrations(self.target.driver_name):
            sockets = (str(registration.socket), registration.endpoint or str(registration.socket))
            found += [pid for pid in map(self._node.listener, sockets) if pid]
        return found

    def _discover(self, pid: int, pods: Sequence[Object]) -> None:
        """Get to know the container that a process is in."""
        process = self._node.link().call("process", pid=pid)
        if not process or not process["alive"] or self._is_known(process):
            return
        container_id = process["container"]
        for pod in pods:
            for row in _statuses(pod):
                if container_id and _id(row) == container_id:
                    self._take(pod, row)
                    return
        nobody = DriverPod("", "", "", "", self.node.name)
        self._known[str(pid)] = ExistingInstance(nobody, "", process, self._node.link, self._history)

    def _is_known(self, process: Mapping[str, Any]) -> bool:
        return process["container"] in self._known or str(process["pid"]) in self._known

    def _discover_next(self, ended: ExistingInstance, pods: Sequence[Object]) -> None:
        """Get to know the container that the kubelet started after one that has ended."""
        for pod in pods:
            if pod["metadata"]["uid"] == ended.uid:
                for row in _statuses(pod):
                    if row["name"] == ended.pod.container and _id(row) not in self._known:
                        self._take(pod, row)

    def _take(self, pod: Object, row: Mapping[str, Any]) -> None:
        process = self._node.link().call("first_process", container=_id(row)) if _id(row) else None
        if process and "running" in (row.get("state") or {}):
            meta = pod["metadata"]
            found = DriverPod(meta["uid"], meta["name"], meta["namespace"], row["name"], self.node.name)
            made = ExistingInstance(found, _id(row), process, self._node.link, self._history)
            self._known[made.container_id] = made

    def _pods(self) -> list[Object]:
        return list(self._api.list("pods", field_selector=f"spec.nodeName={self.node.name}")["items"])

    def _missing(self) -> str:
        if not self.instances:
            return f"no container of driver {self.target.driver_name} runs on node {self.node.name}"
        missing = (self._unanswered(driver) or self._unpublished(driver) for driver in self.target.file.drivers)
        return next((text for text in missing if text), "")

    def _unanswered(self, driver: DriverSection) -> str:
        if not driver.node_plugin or self.node.registrations(driver.name):
            return ""
        return f"driver {driver.name} does not answer on its registration socket and its DRA socket"

    def _unpublished(self, driver: DriverSection) -> str:
        items = self._api.list("resourceslices", field_selector=f"spec.driver={driver.name}")["items"]
        if driver.scope == "node-local":
            items = [item for item in items if item["spec"].get("nodeName") == self.node.name]
        if not items:
            return f"driver {driver.name} has published no ResourceSlice for node {self.node.name}"
        return "; ".join(incomplete_pools(items))


def _statuses(pod: Object) -> Sequence[Mapping[str, Any]]:
    return (pod.get("status") or {}).get("containerStatuses") or ()


def _id(row: Mapping[str, Any]) -> str:
    return str(row.get("containerID", "")).rpartition("//")[2]
