"""A kubelet, a small API server in memory and fake plugins, for tests to play with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.cluster.answer import ClaimRef
from conformance.cluster.kubelet import Kubelet, KubeletSettings
from conformance.history import Event, History

from .fake_plugin import FakePlugin
from .memory_api import MemoryApi

DRIVER = "gpu.example.com"
Object = dict[str, Any]


class World:
    """One node "node-a" below `folder`; `plugin` starts drivers, `claim` and `pod` make objects."""

    def __init__(self, folder: Path, settings: KubeletSettings) -> None:
        self.folder = folder
        self.api = MemoryApi()
        self.history = History()
        self.kubelet = Kubelet("node-a", folder / "a", self.api, self.history, settings)
        self.plugins: list[FakePlugin] = []
        (folder / "a").mkdir()

    def plugin(self, name: str = DRIVER, suffix: str = "", **info: Any) -> FakePlugin:
        """A plugin that serves; keyword arguments are fields of its PluginInfo."""
        folder = self.kubelet.plugins_dir / name
        plugin = FakePlugin(folder, self.kubelet.registry_dir, name, suffix)
        plugin.info.update(info)
        self.plugins.append(plugin)
        return plugin.start()

    def registered(self, name: str = DRIVER, suffix: str = "") -> FakePlugin:
        """A plugin that is registered and connected."""
        plugin = self.plugin(name, suffix)
        self.kubelet.wait_registered(name, count=len([p for p in self.plugins if p.info["name"] == name]))
        self.kubelet.wait_connected(name)
        return plugin

    def claim(self, name: str, *drivers: str, pods: tuple[str, ...] = (), uid: str = "") -> ClaimRef:
        """A claim, allocated with a device of each driver and reserved for pods with these names."""
        results = [
            {"request": "gpu", "driver": driver, "pool": "node-a", "device": "gpu-0"} for driver in drivers or (DRIVER,)
        ]
        reserved = [{"resource": "pods", "name": pod, "uid": f"uid-{pod}"} for pod in pods]
        status = {"allocation": {"devices": {"results": results}}, "reservedFor": reserved}
        uid = uid or f"uid-{name}"
        self.api.create("resourceclaims", {"metadata": {"name": name, "uid": uid}, "status": status}, "ns")
        return ClaimRef("ns", name, uid)

    def pod(self, name: str, *claims: str, **spec: Any) -> str:
        """A pod with one container that uses these claims; its UID."""
        container = {"name": "main", "image": "pause", "resources": {"claims": [{"name": claim} for claim in claims]}}
        entries = [{"name": claim, "resourceClaimName": claim} for claim in claims]
        full = {"nodeName": "node-a", "containers": [container], "resourceClaims": entries, **spec}
        self.api.create("pods", {"metadata": {"name": name, "uid": f"uid-{name}"}, "spec": full}, "ns")
        return f"uid-{name}"

    def cdi_spec(self, uid: str, value: str = "yes") -> Path:
        """The CDI spec of the fake plugin's device for a claim."""
        path = self.kubelet.cdi_dir / f"gpu-{uid}.json"
        path.write_text(
            f'{{"cdiVersion":"0.3.0","kind":"example.com/gpu","devices":'
            f'[{{"name":"{uid}","containerEdits":{{"env":["GPU={value}"]}}}}]}}'
        )
        return path

    def happened(self, action: str, where: Callable[[Event], bool] | None = None, since: int = 0) -> Event:
        """Wait for an action of the kubelet."""

        def wanted(event: Event) -> bool:
            return event["action"] == action and (where is None or where(event))

        event = self.history.wait("kubelet", wanted, since=since, timeout=5)
        assert event is not None, [e.data for e in self.history.events("kubelet")]
        return event

    def running(self, name: str, since: int = 0) -> None:
        """Wait until a pod runs."""
        self.happened("pod_running", lambda event: event["pod"] == f"ns/{name}", since)

    def texts(self) -> list[str]:
        """Messages of the events about pods."""
        return [event["message"] for event in self.api.list("events")["items"]]

    def stop(self) -> None:
        """End everything."""
        self.kubelet.stop()
        for plugin in self.plugins:
            plugin.stop()
