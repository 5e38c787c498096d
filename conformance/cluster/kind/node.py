"""A node of a kind cluster: a container of the Docker engine, its file system seen from the host."""

import json
import signal
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from conformance.cluster.api import Api
from conformance.cluster.cdi import CdiRegistry
from conformance.cluster.cluster import need_calls
from conformance.cluster.direct.calling import CallingNode
from conformance.cluster.direct.registry import Registry
from conformance.cluster.kind import processes
from conformance.cluster.kind.command import run
from conformance.cluster.kubelet import ContainerError, KubeletSettings
from conformance.cluster.kubelet.rpc import Caller, Interceptor
from conformance.cluster.protocol import ContainerView, Installation
from conformance.cluster.tap import Places, Tap
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.verdict import Inconclusive

KUBELET = PurePosixPath("/var/lib/kubelet")
SHADOW = KUBELET / "dra-tap" / "registry"
_HOME = KUBELET / "dra-tap" / "sockets"
_LINKS = {"/var/run": "/run"}  # links to absolute paths lead out of the node when they are followed from the host
_RESTART = 60.0


def root_of(name: str) -> Path:
    """Where a node's file system is seen from here until it is switched off. Raises Inconclusive."""
    pid = run(["docker", "inspect", "--format", "{{.State.Pid}}", name], "look at the node", timeout=30)
    if pid.strip() == "0":
        raise Inconclusive(f"node {name} does not run")
    return Path("/proc", pid.strip(), "root")


class KindNode(CallingNode):
    """One node, with a tap or without. After a reboot its file system is found elsewhere: no path of it may be kept."""

    def __init__(self, name: str, api: Api, history: History, *, tap: bool = True) -> None:
        super().__init__(name, Caller(name, history), KubeletSettings())
        self._api = api
        self.sees_calls = tap
        self.root = Path("/")

    def start(self) -> None:
        """Find the node's file system and the drivers on it; put the tap into place. Raises Inconclusive."""
        self.root = root_of(self.name)
        registry = self.host_path(str(KUBELET / "plugins_registry"))
        self.registry_dir = self.host_path(str(SHADOW)) if self.sees_calls else registry
        self.plugins_dir = self.host_path(str(KUBELET / "plugins"))
        # As containerd reads them, those of lower priority first.
        self.cdi = CdiRegistry((self.host_path("/etc/cdi"), self.host_path("/var/run/cdi")))
        self.drivers = self._tap(registry) if self.sees_calls else self._reader(registry)
        self.drivers.start()

    def _tap(self, registry: Path) -> Tap:
        home = self.host_path(str(_HOME))
        places = Places(self.registry_dir, registry, home, home_on_node=_HOME, host_path=self.host_path)
        return Tap(places, self.caller, self.settings)

    def _reader(self, registry: Path) -> Registry:
        return Registry(registry, self.host_path, self.caller, self.settings)

    @property
    def interceptors(self) -> list[Interceptor]:
        """Functions around each call to a driver; change the list to begin or end a disturbance. Raises Unseen."""
        need_calls(self)
        return self.caller.interceptors

    def stop(self) -> None:
        """Let go of the drivers; the tap is taken away."""
        self.drivers.stop()

    def host_path(self, path: str) -> Path:
        """Where a path of the node is seen from here."""
        path = path.removeprefix("unix:")
        if path.startswith(str(self.root)) and str(self.root) != "/":
            return Path(path)
        for link, target in _LINKS.items():
            if path == link or path.startswith(f"{link}/"):
                path = target + path.removeprefix(link)
        return Path(f"{self.root}{path}")

    def exec(self, *argv: str, what: str, timeout: float = 30) -> str:
        """What a command prints on the node. Raises Inconclusive."""
        return run(["docker", "exec", self.name, *argv], what, timeout=timeout)

    def waiting_image(self) -> str:
        """An image on every node whose container just waits: that of pods' sandboxes. Raises Inconclusive."""
        listed = json.loads(self.exec("crictl", "images", "--output", "json", what="list the images of the node"))
        tags = [tag for image in listed["images"] for tag in image.get("repoTags") or ()]
        found = next((tag for tag in sorted(tags) if "/pause:" in tag), "")
        if not found:
            raise Inconclusive(f"node {self.name} has no image called pause, which the pods of checks are to use")
        return found

    def restart_kubelet(self) -> None:
        """Restart the kubelet's service: it wipes the node's slices and registers plugins again."""
        self._disturb("restart_kubelet", "start")
        self.exec("systemctl", "stop", "kubelet", what="stop the kubelet", timeout=_RESTART)
        self.drivers.forget()
        self._told("stopped")
        self.exec("systemctl", "start", "kubelet", what="start the kubelet", timeout=_RESTART)
        self._told("started")
        self._disturb("restart_kubelet", "end")

    def reboot(self, installation: Installation) -> None:
        """Power the node off and on: processes, sandboxes and /run are gone. The kernel's boot id stays the host's."""
        self._disturb("reboot", "start")
        uids = [instance.uid for instance in installation.instances]
        self.switch_off()
        self.switch_on()
        for uid in uids:
            installation.start(uid=uid)
        self._disturb("reboot", "end")

    def switch_off(self) -> None:
        """Power off. Raises Inconclusive."""
        run(["docker", "stop", "--time", "1", self.name], f"switch node {self.name} off", timeout=_RESTART)
        self.drivers.stop()

    def switch_on(self) -> None:
        """Power on; waits for nothing. Raises Inconclusive."""
        run(["docker", "start", self.name], f"switch node {self.name} on", timeout=_RESTART)
        self.start()
        self._told("rebooted")

    def container(self, pod_uid: str, name: str) -> ContainerView:
        """What a running container sees, read from its first process. Raises Inconclusive."""
        status = self._status(pod_uid, name)
        container_id = str(status.get("containerID", "")).rpartition("//")[2]
        pid = processes.first_process(container_id) if container_id else 0
        if not pid or "running" not in (status.get("state") or {}):
            raise Inconclusive(f"container {name} of pod {pod_uid} does not run on node {self.name}")
        asked = json.loads(self.exec("crictl", "inspect", container_id, what="look at a container"))
        config = asked["info"]["config"]
        usual = {mount["container_path"] for mount in config.get("mounts", ())} | {"/etc/hostname", "/etc/resolv.conf"}
        points = [point for point in processes.mount_points(pid) if point not in usual]
        try:
            return ContainerView(
                env=processes.environment(pid),
                devices=tuple(processes.devices(pid)),
                mounts=tuple({"containerPath": point} for point in points),
                cdi_ids=tuple(device["name"] for device in config.get("CDI_devices") or ()),
            )
        except OSError as error:
            raise Inconclusive(f"container {name} of pod {pod_uid} ended while it was looked at: {error}") from None

    def restart_container(self, pod_uid: str, name: str) -> ContainerView:
        """Kill the container; the kubelet makes it anew in its sandbox. Raises ContainerError, Inconclusive."""
        old = str(self._status(pod_uid, name).get("containerID", ""))
        pid = processes.first_process(old.rpartition("//")[2])
        if not pid:
            raise Inconclusive(f"container {name} of pod {pod_uid} does not run on node {self.name}")
        processes.HostProcess(pid).signal(signal.SIGKILL)

        def again() -> bool:
            status = self._status(pod_uid, name)
            waiting = (status.get("state") or {}).get("waiting") or {}
            if "CDI" in waiting.get("message", ""):
                raise ContainerError(str(waiting["message"]))
            return "running" in (status.get("state") or {}) and status.get("containerID") != old

        wait_for(again, f"container {name} of pod {pod_uid} to be restarted", timeout=_RESTART)
        return self.container(pod_uid, name)

    def _status(self, pod_uid: str, name: str) -> Mapping[str, Any]:
        pods = self._api.list("pods", field_selector=f"spec.nodeName={self.name}")["items"]
        pod = next((pod for pod in pods if pod["metadata"]["uid"] == pod_uid), None)
        status = (pod or {}).get("status") or {}
        rows = [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
        found: Mapping[str, Any] = next((row for row in rows if row["name"] == name), {})
        return found

    def _disturb(self, action: str, phase: str) -> None:
        self.caller.history.record("disturb", action=action, node=self.name, phase=phase)

    def _told(self, action: str) -> None:
        self.caller.history.record("kubelet", node=self.name, action=action, driver="", details="")
