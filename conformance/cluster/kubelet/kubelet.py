"""The kubelet of one node: plugin manager, DRA manager and pods put together. It is a Node for checks."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.api import Api
from conformance.cluster.cdi import CdiRegistry
from conformance.cluster.kubelet import node
from conformance.cluster.kubelet.direct import DirectCalls
from conformance.cluster.kubelet.dra import PREPARE, UNPREPARE
from conformance.cluster.kubelet.endpoint import Endpoint
from conformance.cluster.kubelet.health import DeviceHealth
from conformance.cluster.kubelet.parts import Parts
from conformance.cluster.kubelet.podworker import all_containers, environment
from conformance.cluster.kubelet.rpc import Caller, Interceptor, RpcFailed
from conformance.cluster.kubelet.runtime import Container, Runtime
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.protocol import Installation, PluginInfo, Registration
from conformance.history import History
from conformance.verdict import Inconclusive, WaitTimeout


class Kubelet:
    """One node. `interceptors` disturb its calls to drivers; the runtime's containers outlive a restart of it.

    Paths are below `root`: k/ is the kubelet's folder, etc-cdi/ and cdi/ hold CDI specs (static and dynamic), boot_id
    has the boot id. The API server is talked to over HTTP only.
    """

    sees_calls = True
    changes_boot_id = True

    def __init__(
        self,
        node_name: str,
        root: Path,
        api: Api,
        history: History,
        settings: KubeletSettings | None = None,
        *,
        host_root: Path = Path("/"),
    ) -> None:
        self.name = self.hostname = node_name
        self.root = root
        self.kubelet_dir = root / "k"
        self.registry_dir = self.kubelet_dir / "plugins_registry"
        self.plugins_dir = self.kubelet_dir / "plugins"
        self.cdi_dir = root / "cdi"
        self.cdi = CdiRegistry((root / "etc-cdi", self.cdi_dir))
        self.settings = settings or KubeletSettings()
        self.history = history
        self.runtime = Runtime(self.cdi, host_root)
        self._api = api
        self._caller = Caller(node_name, history)
        self._direct = DirectCalls(self._caller, self.settings)
        self._running: Parts | None = None
        self._endpoint: Endpoint | None = None

    @property
    def interceptors(self) -> list[Interceptor]:
        """Functions around each call to a driver; change the list to begin or end a disturbance."""
        return self._caller.interceptors

    @property
    def running(self) -> bool:
        """Whether the kubelet runs."""
        return self._running is not None

    def start(self) -> None:
        """Start: publish the node, wipe its slices, watch plugins and pods. Raises ApiError, CheckpointCorrupt."""
        if self._running is not None:
            return
        for folder in (self.registry_dir, self.plugins_dir):
            folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        for folder in self.cdi.dirs:
            folder.mkdir(parents=True, exist_ok=True)
        self._endpoint = Endpoint(self.name, lambda: self._up().metrics_text())
        try:
            self._endpoint.start()
            node.publish(self._api, self.name, node.boot_id(self.root), self._endpoint.port)
            self._caller.open()
            self._running = Parts(self, self._api, self._caller, self.runtime, self._told)
            self._running.start()
        except BaseException:
            self.stop()
            raise
        self._told("started")

    def stop(self) -> None:
        """Stop: connections end, calls in flight are cancelled, containers stay. May be called twice."""
        running, self._running = self._running, None
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.stop()
        if running is None:
            return
        running.halt()
        self._caller.close()
        running.stop()
        self._told("stopped")

    def restart(self) -> None:
        """Stop and start."""
        self.stop()
        self.start()

    restart_kubelet = restart

    def reboot(self, installation: Installation) -> None:
        """Driver killed, sandboxes and dynamic CDI specs gone, new boot id; then kubelet and driver started again.

        The driver comes back as the same pods (UIDs) that ran before. Waits for none of them to be ready.
        """
        uids = self.switch_off(installation)
        self.start()
        for uid in uids:
            installation.start(uid=uid)

    def switch_off(self, installation: Installation) -> list[str]:
        """Driver killed, kubelet stopped, what memory held gone; UIDs of the driver's pods. start() switches it on."""
        uids = [instance.uid for instance in installation.instances]
        for instance in installation.instances:
            instance.kill()
        self.stop()
        self.runtime.clear()
        shutil.rmtree(self.cdi_dir, ignore_errors=True)
        self._told("rebooted", details=node.new_boot_id(self.root))
        return uids

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Registered instances of the driver, oldest first; none while the kubelet is stopped."""
        if self._running is None:
            return ()
        return [plugin.registration for plugin in self._running.plugins.confirmed(driver)]

    def wait_registered(self, driver: str, *, count: int = 1, timeout: float = 30) -> Sequence[Registration]:
        """Wait until exactly `count` instances are registered. Raises WaitTimeout with what was seen instead."""
        plugins = self._up().plugins
        if not plugins.wait(lambda: len(plugins.confirmed(driver)) == count, timeout):
            raise WaitTimeout(
                f"waited {timeout:g} s for {count} registered instance(s) of {driver} on node {self.name}; "
                f"seen instead: {len(plugins.confirmed(driver))}; {self._last_failure()}"
            )
        return self.registrations(driver)

    def wait_connected(self, driver: str, *, connected: bool = True, timeout: float = 30) -> None:
        """Wait until the driver has a connected instance, or none. Raises WaitTimeout."""
        plugins = self._up().plugins

        def reached() -> bool:
            return any(plugin.connected for plugin in plugins.confirmed(driver)) == connected

        if not plugins.wait(reached, timeout):
            state = "a" if connected else "no"
            raise WaitTimeout(f"waited {timeout:g} s for {state} connected instance of {driver} on node {self.name}")

    def wait_instance(self, driver: str, endpoint: str, *, timeout: float = 30) -> None:
        """Wait until calls to the driver go to the instance with this endpoint. Raises WaitTimeout."""
        plugins = self._up().plugins
        if not plugins.wait(lambda: plugins.chosen(driver) == endpoint, timeout):
            raise WaitTimeout(
                f"waited {timeout:g} s for calls to {driver} on node {self.name} to go to {endpoint}; "
                f"seen instead: {plugins.chosen(driver) or 'not registered'}"
            )

    def pending_wipes(self) -> list[str]:
        """Drivers whose slices will be deleted unless they connect in time, sorted."""
        return self._up().wiper.pending()

    def prepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """NodePrepareResources outside any pod, as the kubelet would call it; given up after `timeout` seconds.

        `version` ("v1", "v1beta1") asks for that service instead of the one chosen at registration. Without `driver`
        the one under test is called, or else the only registered one. A driver that is not registered gives an Answer
        with code UNAVAILABLE and the kubelet's text. Raises Inconclusive when there is no or more than one driver to
        choose.
        """
        return self._direct.call(self._up().plugins, PREPARE, claims, driver, timeout, _service(version))

    def unprepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """NodeUnprepareResources outside any pod; otherwise as `prepare`."""
        return self._direct.call(self._up().plugins, UNPREPARE, claims, driver, timeout, _service(version))

    def get_info(self, socket: Path, *, authority: str = "") -> PluginInfo:
        """GetInfo on a registration socket, on a connection of its own."""
        try:
            info = self._direct.get_info(socket, authority=authority)
        except RpcFailed as error:
            return PluginInfo(error=str(error))
        versions = tuple(info.get("supported_versions", ()))
        return PluginInfo(info.get("type", ""), info.get("name", ""), info.get("endpoint", ""), versions)

    def notify(self, socket: Path, *, refused: str = "") -> str:
        """NotifyRegistrationStatus on a registration socket, on a connection of its own; the error, "" without any."""
        try:
            self._direct.notify(socket, not refused, refused)
        except RpcFailed as error:
            return str(error)
        return ""

    def host_path(self, path: str) -> Path:
        """Processes of this node share our file system."""
        return Path(path.removeprefix("unix:"))

    def health(self, driver: str) -> Mapping[tuple[str, str], DeviceHealth]:
        """Health of a driver's devices by (pool, device), as far as it was reported and is not too old."""
        return self._up().health.all(driver)

    @property
    def metrics_url(self) -> str:
        """Where its metrics are, in Prometheus' text form; the port is also in the Node object. Raises Inconclusive."""
        self._up()
        return f"http://127.0.0.1:{self._endpoint.port}/metrics" if self._endpoint else ""

    @property
    def pod_resources_socket(self) -> Path:
        """The socket of the PodResources service."""
        return self.kubelet_dir / "pod-resources" / "kubelet.sock"

    @property
    def direct(self) -> DirectCalls:
        """Calls on sockets that need not be registered."""
        return self._direct

    def container(self, pod_uid: str, name: str) -> Container:
        """A created container. Raises Inconclusive when there is none."""
        found = self.runtime.container(pod_uid, name)
        if found is None:
            raise Inconclusive(f"container {name} of pod {pod_uid} was not started on node {self.name}")
        return found

    def restart_container(self, pod_uid: str, name: str) -> Container:
        """Create a container anew in its sandbox, CDI resolved again. Raises ContainerError, Inconclusive."""
        running = self._up()
        pod = running.pods.pod(pod_uid)
        spec = next((s for s in all_containers(pod) if s["name"] == name), None) if pod else None
        if pod is None or spec is None:
            raise Inconclusive(f"container {name} of pod {pod_uid} cannot be restarted: node {self.name} has none such")
        ids = running.dra.cdi_ids(pod, spec)
        return self.runtime.create(pod_uid, name, environment(pod, spec, self.name), ids)

    def _up(self) -> Parts:
        if self._running is None:
            raise Inconclusive(f"the kubelet of node {self.name} is stopped; start it first")
        return self._running

    def _last_failure(self) -> str:
        def failed(event: object) -> bool:
            data = getattr(event, "data", {})
            return data.get("action") == "register_failed" and data.get("node") == self.name

        event = self.history.last("kubelet", failed)
        return f"last failure: {event['details']}" if event else "no registration failed"

    def _told(self, action: str, driver: str = "", details: str = "") -> None:
        self.history.record("kubelet", node=self.name, action=action, driver=driver, details=details)


def _service(version: str | None) -> str:
    return f"{version}.DRAPlugin" if version else ""
