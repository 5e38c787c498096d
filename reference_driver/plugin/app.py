"""The plugin as a process: parts put together, started in order, stopped in order."""

import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import credentials, insight, log
from .binding import BindingController
from .cdi import CdiFolder
from .checkpoint import Checkpoint
from .claims import ClaimReader
from .driver import DeviceHealth, Driver
from .errors import PluginError
from .events import EventRecorder
from .handler import ClaimHandler
from .health import HealthMonitor, with_taints
from .kube import KubeClient
from .lock import StateLock
from .looking import Seen, keep_looking, look
from .metadata import MetadataFolder
from .options import Options, writable
from .pools import Pool
from .probes import Probes
from .recovery import reclaim, restore
from .registration import RegistrationServer
from .reporting import DeviceReporter
from .service import DraServer
from .slices import SliceController
from .sockets import dra_socket, registration_socket

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_GRACE = 5.0  # seconds for calls that are under way when the plugin is told to end


@dataclass(frozen=True)
class Parts:
    """The classes that a plugin is made of; replace one by a subclass to change one behaviour."""

    reader: Callable[..., ClaimReader] = ClaimReader
    checkpoint: Callable[..., Checkpoint] = Checkpoint
    cdi: Callable[..., CdiFolder] = CdiFolder
    lock: Callable[..., StateLock] = StateLock
    handler: Callable[..., ClaimHandler] = ClaimHandler
    service: Callable[..., DraServer] = DraServer
    registration: Callable[..., RegistrationServer] = RegistrationServer
    slices: Callable[..., SliceController] = SliceController
    binding: Callable[..., BindingController] = BindingController
    health: Callable[[Driver], HealthMonitor] = HealthMonitor
    taint: Callable[[Mapping[str, Pool], Sequence[DeviceHealth], str], Mapping[str, Pool]] = with_taints
    metadata: Callable[..., MetadataFolder] = MetadataFolder
    reporter: Callable[..., DeviceReporter] = DeviceReporter
    events: Callable[..., EventRecorder] = EventRecorder
    probes: Callable[..., Probes] = Probes
    restore: Callable[[ClaimHandler], None] = restore
    reclaim: Callable[[ClaimHandler, threading.Event], None] = reclaim


class Plugin:
    """One instance of a driver on a node. Raises PluginError when it cannot be put together or started."""

    def __init__(self, driver: Driver, options: Options, parts: Parts | None = None) -> None:
        parts = parts or Parts()
        self.driver = driver
        self.options = options
        self.client = KubeClient(credentials.find(options.kubeconfig))
        options.check()
        self._parts = parts
        self.ended = threading.Event()
        self._publishing = threading.RLock()
        self._failed = False
        self._seen: Seen = {}, None
        data = options.data_dir
        self.handler = parts.handler(
            driver,
            parts.reader(self.client, driver.name),
            parts.checkpoint(data / "claims"),
            parts.cdi(options.cdi_dir, driver.cdi_kind),
            parts.lock(data / "serialize.lock"),
            options.boot_id(),
        )
        self.handler.metadata = parts.metadata(data / "dra-device-metadata", driver.name, options.device_metadata)
        self.reporter = parts.reporter(self.client, driver, options.device_status)
        self.events = parts.events(self.client, driver.name, options.node_name)
        self.handler.checkpoint.on_corrupt = self._tell_of_corruption
        self.handler.on_prepared, self.handler.on_unprepared = self.reporter.report, self.reporter.forget
        self.slices = parts.slices(self.client, driver.name, options.node_name, self.fail)
        self.slices.builder.room_for_taints = options.taints and driver.health() is not None
        self.binding = parts.binding(self.client, driver, self.fail)
        self.service = parts.service(dra_socket(data, options.pod_uid), self.handler)
        self.health = parts.health(driver)
        self.health.enabled = options.health
        self.health.add_to(self.service.grpc)
        path = registration_socket(options.registry_dir, driver.name, options.pod_uid)
        versions = [*self.service.versions, *self.health.versions]
        self.registration = parts.registration(path, driver.name, self.service.path, versions)
        self.probes = parts.probes(self.registration, self.service, self.slices)
        self.http = insight.server(self)

    def start(self) -> None:
        """Publish, restore and serve. The DRA socket answers before the registration socket announces it."""
        if self.http:
            self.http.start()
        self.publish()
        self.slices.start()
        if self.driver.sets_binding_conditions:
            self.binding.start()
        self.reporter.start()
        if not writable(self.options.cdi_dir):
            log.warning("no claim can be prepared: --cdi-dir cannot be written to", folder=str(self.options.cdi_dir))
        self._parts.restore(self.handler)
        self.service.start()
        self.registration.start()
        threading.Thread(target=self._reclaim, daemon=True).start()
        if self.driver.look_every is not None:
            threading.Thread(target=self._keep_looking, daemon=True).start()
        log.info("serving", driver=self.driver.name, node=self.driver.node, socket=str(self.registration.path))

    def publish(self) -> None:
        """Publish the driver's pools and the health of its devices as they are now; call it when they have changed."""
        with self._publishing:  # what was asked for later must not be overtaken
            pools, health = self._seen = look(self.driver)
            if health and self.options.taints:
                pools = self._parts.taint(pools, health, self.driver.name)
            self.slices.publish(pools)
        self.health.changed()

    def serve(self) -> int:
        """Start, serve until SIGTERM, SIGINT or a failure in the background, stop; the exit status of the process."""
        try:
            self.start()
            number = signal.sigwait(_SIGNALS)
            log.info("told to end", signal=signal.Signals(number).name)
        finally:
            self.stop()
        return 1 if self._failed else 0

    def stop(self) -> None:
        """Deregister, let calls finish, remove the own sockets. Slices, CDI specs and the checkpoint stay."""
        self.ended.set()
        self.probes.ending = True
        self.registration.stop()
        self.health.stop()
        self.service.stop(_GRACE)
        self.slices.stop()
        self.reporter.stop()
        self.binding.stop()
        self.events.stop()
        if self.http:
            self.http.stop()
        log.info("stopped", driver=self.driver.name)

    def fail(self) -> None:
        """End the process with a failure: something in the background broke that nothing will repair."""
        self._failed = True
        os.kill(os.getpid(), signal.SIGTERM)

    def _tell_of_corruption(self, file: Path, reason: str) -> None:
        """For the administrator: docs/operation.md says what is to be done."""
        self.events.warn(
            "StateFileCorrupt",
            "SetAside",
            f"State of the claim with UID {file.stem} could not be read and is set aside as {file}: {reason}. The claim"
            " is prepared anew when the kubelet asks for it; delete its pod to have that at once, then the file.",
        )

    def _reclaim(self) -> None:
        try:
            self._parts.reclaim(self.handler, self.ended)
        except Exception:
            log.failure("reclaiming of claims failed")
            self.fail()

    def _keep_looking(self) -> None:
        try:
            keep_looking(self.driver, lambda: self._seen, self.publish, self.ended)
        except Exception:
            log.failure("looking for changes of the devices failed")
            self.fail()


def run(make: Callable[[], Plugin]) -> int:
    """Make a plugin and let it serve; the exit status of the process, 1 also when it cannot start."""
    # Before gRPC starts threads: a signal that comes early must wait for `serve`, not end the process in one of them.
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    log.configure()
    try:
        plugin = make()
        log.set_level(plugin.options.log_level)
        return plugin.serve()
    except (PluginError, OSError) as error:
        log.error("the plugin cannot run", error=str(error))
    except Exception:
        log.failure("the plugin failed")
    return 1
