"""The parts of a running kubelet, put together."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from conformance.cluster.api import Api
from conformance.cluster.kubelet.dra import DraManager
from conformance.cluster.kubelet.events import Events
from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.metrics import Metrics
from conformance.cluster.kubelet.plugins import Plugins, Usable
from conformance.cluster.kubelet.podresources import PodResources
from conformance.cluster.kubelet.pods import PodManager
from conformance.cluster.kubelet.podworker import Workplace
from conformance.cluster.kubelet.reconciler import Reconciler
from conformance.cluster.kubelet.registration import Registrar
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.kubelet.runtime import Runtime
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.kubelet.watcher import PluginWatcher
from conformance.cluster.kubelet.wiping import Wiper
from conformance.history import History

Told = Callable[[str, str, str], None]
"""Is told an action of the kubelet, a driver's name and details."""


class Host(Protocol):
    """What the parts need to know of their kubelet."""

    name: str
    kubelet_dir: Path
    registry_dir: Path
    settings: KubeletSettings
    history: History


class Parts:
    """The parts of a kubelet that live from a start to a stop."""

    def __init__(self, kubelet: Host, api: Api, caller: Caller, runtime: Runtime, told: Told) -> None:
        settings = kubelet.settings
        self.stopping = threading.Event()
        self._told = told
        self.wiper = Wiper(kubelet.name, api, settings, self._wiped)
        self._metrics = Metrics()
        self.health = HealthBook(
            settings.health_timeout, self._health_changed, kubelet.kubelet_dir / "dra_health_state"
        )
        self.plugins = Plugins(caller, settings, self.health, self._metrics, self._usable)
        state = kubelet.kubelet_dir / "dra_manager_state"
        self.dra = DraManager(self.plugins, api, state, settings, self._metrics)
        registrar = Registrar(self.plugins, caller, settings, self.stopping, kubelet.kubelet_dir)
        self._reconciler = Reconciler(self.plugins, registrar, settings, self._told, self.stopping)
        self._watcher = PluginWatcher(kubelet.registry_dir, self._reconciler.created, self._reconciler.deleted)
        place = Workplace(
            node=kubelet.name,
            api=api,
            events=Events(api, kubelet.name),
            dra=self.dra,
            runtime=runtime,
            history=kubelet.history,
            settings=settings,
            stopping=self.stopping,
            health=self.health,
            cancel_calls=caller.cancel,
        )
        self.pods = PodManager(place)
        self._pod_resources = PodResources(kubelet.kubelet_dir / "pod-resources", self.pods.all, self.dra)

    def start(self) -> None:
        """Start them all. Raises ApiError, OSError."""
        self.wiper.start()
        self._reconciler.start()
        self._watcher.start()
        self.pods.start()
        self._pod_resources.start()

    def stop(self) -> None:
        """Stop them all, after `stopping` was set and calls were cut off."""
        self._watcher.stop()
        self._reconciler.stop()
        self.pods.stop()
        self.wiper.stop()
        self.plugins.close()
        self._pod_resources.stop()

    def halt(self) -> None:
        """Begin to stop: nobody tells of calls that are cut off now, and what is known of devices stays as it is."""
        self.stopping.set()
        self.health.freeze()

    def metrics_text(self) -> str:
        """The metrics as they are now, in Prometheus' text form."""
        return self._metrics.text(self.dra.in_use(), self._reconciler.sockets())

    def _usable(self, change: Usable) -> None:
        if self.stopping.is_set():
            return
        if change.usable:
            self.wiper.usable(change.driver)
            self._told("usable", change.driver, "")
        else:
            self.wiper.unusable(change.driver)
            self._told("unusable", change.driver, "")

    def _health_changed(self, driver: str) -> None:
        if not self.stopping.is_set():
            self.pods.health_changed(driver)

    def _wiped(self, driver: str, error: str) -> None:
        self._told("wipe_failed" if error else "wiped", driver, error)
