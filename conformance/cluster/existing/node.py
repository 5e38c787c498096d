"""A node of an existing cluster: its file system and processes, seen through the agent in a privileged pod on it."""

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api, Object
from conformance.cluster.cdi import CdiRegistry
from conformance.cluster.direct import DirectNode
from conformance.cluster.existing.link import Link
from conformance.cluster.existing.mirror import MirroredCdi, MirroredSockets
from conformance.cluster.kubelet import KubeletSettings
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.kubelet.runtime import ContainerError
from conformance.cluster.protocol import ContainerView, Installation
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.verdict import Inconclusive, NotRun

KUBELET = "/var/lib/kubelet"
_CDI = ("/etc/cdi", "/var/run/cdi")  # as container runtimes read them, those of lower priority first
_RESTART = 120.0  # seconds; a kubelet waits longer each time before it starts a container again
_USUAL = ("/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log")
_ACCOUNT = "/secrets/kubernetes.io/serviceaccount"


class ExistingNode(DirectNode):
    """One node. `root` is a local folder: CDI files are copied there when somebody looks, sockets are tunnelled."""

    changes_boot_id = True

    def __init__(
        self,
        obj: Object,
        api: Api,
        history: History,
        root: Path,
        connect: Callable[[], Link],
        *,
        kubelet: str = KUBELET,
    ) -> None:
        """obj: the Node object; connect: makes a new agent on it; kubelet: the kubelet's folder there."""
        name = obj["metadata"]["name"]
        super().__init__(name, Caller(name, history), KubeletSettings())
        self.root = root
        self.hostname = (obj["metadata"].get("labels") or {}).get("kubernetes.io/hostname", name)
        self._api = api
        self._connect = connect
        self._link: Link | None = None
        self._lock = threading.Lock()
        self._sockets = MirroredSockets(root, f"{kubelet}/plugins_registry", self.link)
        self.registry_dir = self.host_path(f"{kubelet}/plugins_registry")
        self.plugins_dir = self.host_path(f"{kubelet}/plugins")
        self.cdi: CdiRegistry = MirroredCdi({path: self.host_path(path) for path in _CDI}, self.link)

    def start(self) -> None:
        """Connect, and begin to look at the registry folder. Raises Inconclusive."""
        self.link()
        self._sockets.start()
        self.look_at(self.registry_dir, lambda path: self._sockets.reach(self._on_node(path)))

    def stop(self) -> None:
        """End all connections."""
        self.stop_looking()
        self._sockets.stop()
        with self._lock:
            if self._link:
                self._link.close()

    def link(self) -> Link:
        """The agent, a new one when the connection to the last one has ended. Raises Inconclusive."""
        with self._lock:
            if self._link and not self._link.alive:
                self._link.close()
                self._link = None
            if self._link is None:
                self._link = self._connect()
            return self._link

    def host_path(self, path: str) -> Path:
        """Where a path of the node is seen from here."""
        return self._sockets.local(self._on_node(path))

    def listener(self, path: str) -> int:
        """The process that listens on a socket of the node, as of the latest connection; 0 when that is not known."""
        return self._sockets.pid(self._on_node(path))

    def restart_kubelet(self) -> None:
        """Restart the kubelet's service. Raises NotRun where systemd does not run it, WaitTimeout."""
        link = self.link()
        known = link.call("run", argv=["systemctl", "is-active", "kubelet"])
        if known is None or known["out"].strip() != "active":
            raise NotRun(f"the kubelet of node {self.name} is no systemd service called kubelet")
        self._disturb("restart_kubelet", "start")
        self._told("stopped")
        # The agent's connection goes through the kubelet and ends with it, perhaps before the answer.
        with suppress(Inconclusive):
            link.call("run", argv=["systemctl", "restart", "--no-block", "kubelet"])
        wait_for(lambda: not link.alive, f"the kubelet of node {self.name} to stop", timeout=_RESTART)
        wait_for(self._reconnected, f"the kubelet of node {self.name} to start", timeout=_RESTART)
        self._told("started")
        self._disturb("restart_kubelet", "end")

    def reboot(self, installation: Installation) -> None:
        """Always raises NotRun."""
        driver = installation.target.driver_name
        raise NotRun(f"node {self.name}, on which {driver} runs, belongs to others, who may not want it rebooted")

    def container(self, pod_uid: str, name: str) -> ContainerView:
        """What a running container sees, read from its first process. Raises Inconclusive."""
        pod, status = self._pod(pod_uid, name)
        container_id = _id(status)
        process = self.link().call("first_process", container=container_id) if container_id else None
        if not process or "running" not in (status.get("state") or {}):
            raise Inconclusive(f"container {name} of pod {pod_uid} does not run on node {self.name}")
        seen = self.link().call("look", pid=process["pid"])
        usual = {*_USUAL, *_mounted(pod, name)}
        points = [point for point in seen["mounts"] if point not in usual and not point.endswith(_ACCOUNT)]
        return ContainerView(
            env=seen["env"],
            devices=tuple(seen["devices"]),
            mounts=tuple({"containerPath": point} for point in points),
            cdi_ids=self._cdi_ids(container_id),
        )

    def restart_container(self, pod_uid: str, name: str) -> ContainerView:
        """Kill the container; the kubelet makes it anew in its sandbox. Raises ContainerError, Inconclusive."""
        _, status = self._pod(pod_uid, name)
        old = _id(status)
        process = self.link().call("first_process", container=old) if old else None
        if not process:
            raise Inconclusive(f"container {name} of pod {pod_uid} does not run on node {self.name}")
        self.link().call("kill", pid=process["pid"], started=process["started"], number=int(signal.SIGKILL))

        def again() -> bool:
            _, now = self._pod(pod_uid, name)
            waiting = (now.get("state") or {}).get("waiting") or {}
            if "CDI" in waiting.get("message", ""):
                raise ContainerError(str(waiting["message"]))
            return "running" in (now.get("state") or {}) and _id(now) != old

        wait_for(again, f"container {name} of pod {pod_uid} to be restarted", timeout=_RESTART)
        return self.container(pod_uid, name)

    def _cdi_ids(self, container_id: str) -> Sequence[str]:
        asked = self.link().call("run", argv=["crictl", "inspect", container_id])
        if asked is None or asked["status"] != 0:
            return _Untold(f"node {self.name} has no crictl to ask for a container's CDI devices")
        config = json.loads(asked["out"])["info"]["config"]
        return tuple(device["name"] for device in config.get("CDI_devices") or ())

    def _pod(self, pod_uid: str, name: str) -> tuple[Object, Mapping[str, Any]]:
        pods = self._api.list("pods", field_selector=f"spec.nodeName={self.name}")["items"]
        pod: Object = next((pod for pod in pods if pod["metadata"]["uid"] == pod_uid), {})
        status = pod.get("status") or {}
        rows = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
        found: Mapping[str, Any] = next((row for row in rows if row["name"] == name), {})
        return pod, found

    def _reconnected(self) -> bool:
        try:
            self.link()
        except Inconclusive:
            return False
        return True

    def _on_node(self, path: str) -> str:
        path = path.removeprefix("unix:")
        return path.removeprefix(str(self.root)) if path.startswith(f"{self.root}/") else path

    def _disturb(self, action: str, phase: str) -> None:
        self.caller.history.record("disturb", action=action, node=self.name, phase=phase)

    def _told(self, action: str) -> None:
        self.caller.history.record("kubelet", node=self.name, action=action, driver="", details="")


class _Untold(Sequence[str]):
    """A list that cannot be known: whoever looks into it judges nothing."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __getitem__(self, index: Any) -> Any:
        raise NotRun(self._reason)

    def __len__(self) -> int:
        raise NotRun(self._reason)

    def __iter__(self) -> Iterator[str]:
        raise NotRun(self._reason)


def _id(status: Mapping[str, Any]) -> str:
    return str(status.get("containerID", "")).rpartition("//")[2]


def _mounted(pod: Object, name: str) -> set[str]:
    containers = (pod.get("spec") or {}).get("containers") or ()
    mounts = next((row.get("volumeMounts") or () for row in containers if row["name"] == name), ())
    return {mount["mountPath"] for mount in mounts}
