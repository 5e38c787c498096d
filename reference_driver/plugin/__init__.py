"""A framework for DRA drivers in Python: write what your devices are, the rest of the contract is kept for you.

docs/tutorial-driver.md takes you through a first driver. A driver is a subclass of `Driver`; this one gives out two
serial ports:

    import argparse
    from collections.abc import Mapping
    from reference_driver import plugin

    class SerialDriver(plugin.Driver):
        cdi_class = "serial"

        def pools(self) -> Mapping[str, plugin.Pool]:
            devices = [plugin.Device(f"tty-{n}", attributes={"line": n}) for n in range(2)]
            return {self.node: plugin.Pool(devices)}

        def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
            node = [{"path": f"/dev/ttyS{device.device[-1]}"} for device in claim.devices]
            return plugin.Preparation([plugin.ContainerEdits(device_nodes=[entry]) for entry in node])

    parser = argparse.ArgumentParser()
    plugin.add_arguments(parser, "serial.example.com")
    options = plugin.from_arguments(parser.parse_args())
    raise SystemExit(plugin.main(SerialDriver(options.driver_name, options.node_name), options))

How a call travels: service (gRPC) ▶ handler (order, checkpoint, exclusivity) ▶ driver (yours); beside it registration
announces the sockets and slices publishes the pools. Every layer is a class that `Parts` names, so that one behaviour
can be changed by a subclass with a single method:

    Parts.registration  RegistrationServer   GetInfo, NotifyRegistrationStatus, remove_stale, stop
    Parts.service       DraServer            versions, make_servicer; DraServicer: prepared
    Parts.handler       ClaimHandler         prepare, unprepare, check_free, record, make_real, discard
    Parts.reader        ClaimReader          read, in_use
    Parts.checkpoint    Checkpoint           reload, get, holders, save, delete, sync
    Parts.cdi           CdiFolder            path, spec, write, ensure, remove, leftovers
    Parts.lock          StateLock            hold
    Parts.slices        SliceController      builder (SliceBuilder: build), planner (Planner: plan, same)
    Parts.binding       BindingController    entries, entry, waited_for, look_at
    Parts.health        HealthMonitor        refresh, timeout, reports, report, add_to; HealthServicer
    Parts.taint                              what is published of sick devices
    Parts.metadata      MetadataFolder       text, mount, path, write, remove
    Parts.reporter      DeviceReporter       report, entries, entry
    Parts.events        EventRecorder        warn
    Parts.probes        Probes               alive, ready
    Parts.restore, Parts.reclaim             what is done at start with what the last instance left
    Plugin                                   socket names, the order of start and stop

A webhook that refuses wrong opaque parameters when they are made is a process of its own: `admission` and `webhook`.

For example, a driver that forgets to check whether a device is taken:

    class Careless(plugin.ClaimHandler):
        def check_free(self, claim: plugin.Claim) -> None:
            pass

    plugin.main(driver, options, plugin.Parts(handler=Careless))
"""

from .app import Parts, Plugin, run
from .binding import BindingController
from .cdi import CdiDevice, CdiFolder, ContainerEdits
from .checkpoint import Checkpoint, ClaimRecord, PreparedDevice
from .claim_status import ClaimStatus
from .claims import AllocatedDevice, Claim, ClaimReader, ClaimRef, Config
from .driver import DeviceHealth, Driver, Preparation
from .errors import ClaimError, ConfigError, Conflict, KubeError, NotFound, OutOfTime, PluginError, Unanswered
from .events import EventRecorder
from .handler import Answer, ClaimHandler
from .health import HealthMonitor, HealthServicer, HealthVersion, with_taints
from .kube import KubeClient
from .lock import Deadline, StateLock
from .metadata import MetadataFolder
from .options import Options, add_arguments, from_arguments
from .pools import Device, Pool, SliceBuilder, Version
from .probes import Probes
from .registration import RegistrationServer
from .reporting import DeviceReporter
from .service import ApiVersion, DraServer, DraServicer
from .slice_plan import Plan, Planner
from .slices import SliceController

__all__ = [
    "AllocatedDevice",
    "Answer",
    "ApiVersion",
    "BindingController",
    "CdiDevice",
    "CdiFolder",
    "Checkpoint",
    "Claim",
    "ClaimError",
    "ClaimHandler",
    "ClaimReader",
    "ClaimRecord",
    "ClaimRef",
    "ClaimStatus",
    "Config",
    "ConfigError",
    "Conflict",
    "ContainerEdits",
    "Deadline",
    "Device",
    "DeviceHealth",
    "DeviceReporter",
    "DraServer",
    "DraServicer",
    "Driver",
    "EventRecorder",
    "HealthMonitor",
    "HealthServicer",
    "HealthVersion",
    "KubeClient",
    "KubeError",
    "MetadataFolder",
    "NotFound",
    "Options",
    "OutOfTime",
    "Parts",
    "Plan",
    "Planner",
    "Plugin",
    "PluginError",
    "Pool",
    "Preparation",
    "PreparedDevice",
    "Probes",
    "RegistrationServer",
    "SliceBuilder",
    "SliceController",
    "StateLock",
    "Unanswered",
    "Version",
    "add_arguments",
    "from_arguments",
    "main",
    "run",
    "with_taints",
]


def main(driver: Driver, options: Options, parts: Parts | None = None) -> int:
    """Run a driver until it is told to end; the exit status of the process, 1 also when it cannot start."""
    return run(lambda: Plugin(driver, options, parts))
