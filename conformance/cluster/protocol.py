"""What every kind of cluster implements: Backend, Node, Installation, Instance, Fleet.

Checks see these through `Cluster`, `Pod` and `Claim` (cluster.py), which are the same code for every backend.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypedDict, runtime_checkable

from conformance.cluster.answer import Answer, ClaimRef
from conformance.cluster.api import Api
from conformance.cluster.apirules import Rule
from conformance.cluster.cdi import CdiRegistry
from conformance.history import History
from conformance.target import Target


class ContainerSeen(TypedDict):
    """The parts of a ContainerView that driver files speak of."""

    env: Mapping[str, str]
    devices: list[str]
    mounts: list[str]
    net_devices: list[str] | None


@dataclass(frozen=True)
class ContainerView:
    """What one container sees of its devices after CDI injection.

    env: environment variables; devices: device nodes as {path, type, major, minor, permissions};
    mounts: {hostPath, containerPath, options}; cdi_ids: what the kubelet asked the runtime to inject; net_devices:
    network interfaces of the node to their names in the container, None where that cannot be seen.
    """

    env: Mapping[str, str]
    devices: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    mounts: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    cdi_ids: Sequence[str] = field(default_factory=tuple)
    net_devices: Mapping[str, str] | None = None

    def seen(self) -> ContainerSeen:
        """Environment, paths of device nodes, paths that something is mounted at, and network interfaces."""
        return {
            "env": self.env,
            "devices": [str(device["path"]) for device in self.devices],
            "mounts": [str(mount["containerPath"]) for mount in self.mounts],
            "net_devices": None if self.net_devices is None else list(self.net_devices),
        }


@dataclass(frozen=True)
class Registration:
    """A driver instance as the kubelet knows it: PluginInfo and the socket it came from."""

    driver: str
    endpoint: str
    supported_versions: tuple[str, ...]
    socket: Path


@dataclass(frozen=True)
class PluginInfo:
    """An answer to GetInfo (pluginregistration v1 PluginInfo); `error` is the gRPC error, "" for a good answer."""

    type: str = ""
    name: str = ""
    endpoint: str = ""
    supported_versions: tuple[str, ...] = ()
    error: str = ""


class Node(Protocol):
    """One node. `root` is where the node's file system is seen from; paths are the node's own under it.

    hostname: its label kubernetes.io/hostname, by which pods select it; clouds name and label nodes differently.
    sees_calls: whether calls between kubelet and drivers are in the history. Where they are not, "registered" means
    that a driver answers on both of its sockets.
    changes_boot_id: whether a driver that reads the boot id sees another one after `reboot`.
    """

    name: str
    hostname: str
    root: Path
    registry_dir: Path
    plugins_dir: Path
    cdi: CdiRegistry
    sees_calls: bool
    changes_boot_id: bool

    def registrations(self, driver: str) -> Sequence[Registration]:
        """Registered instances of the driver, oldest first."""
        ...

    def wait_registered(self, driver: str, *, count: int = 1, timeout: float = 30) -> Sequence[Registration]:
        """Wait until exactly `count` instances are registered. Raises WaitTimeout with what was seen instead."""
        ...

    def prepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """Call NodePrepareResources as the kubelet does: newest connected instance, its first known version.

        `driver`: when None, the one under test, or the only one registered. `version`: "v1" or "v1beta1" to ask for
        that service instead.
        """
        ...

    def unprepare(
        self, *claims: ClaimRef, driver: str | None = None, version: str | None = None, timeout: float = 45
    ) -> Answer:
        """Call NodeUnprepareResources as the kubelet does; no claim at all is a valid request."""
        ...

    def get_info(self, socket: Path, *, authority: str = "") -> PluginInfo:
        """Ask a registration socket who serves it, on a connection of its own; 1 s is the kubelet's limit.

        `authority`: what the call carries as :authority, instead of the percent-encoded path that the kubelet sends.
        """
        ...

    def notify(self, socket: Path, *, refused: str = "") -> str:
        """Tell the driver behind a registration socket that it is registered, or why it is `refused`.

        The gRPC error, "" when it took note; 5 s is the kubelet's limit.
        """
        ...

    def host_path(self, path: str) -> Path:
        """Where a path that a process on the node uses is seen from the harness."""
        ...

    def container(self, pod_uid: str, name: str) -> ContainerView:
        """What a started container of a pod sees. Raises Inconclusive when it was not started."""
        ...

    def restart_container(self, pod_uid: str, name: str) -> ContainerView:
        """Create the container anew in its sandbox: CDI is resolved again, Prepare is not called.

        Raises ContainerError when CDI is the reason that it cannot be created, Inconclusive for any other.
        """
        ...

    def restart_kubelet(self) -> None:
        """Stop and start the kubelet: all slices of the node are wiped, plugins registered again."""
        ...

    def reboot(self, installation: "Installation") -> None:
        """Driver killed, CDI folder emptied, new boot id, kubelet and driver started."""
        ...


class Instance(Protocol):
    """One running instance of a driver: a process or a pod. `uid` is the UID of its pod."""

    uid: str
    node: str

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        ...

    @property
    def exit_status(self) -> int | None:
        """Exit status once it ended, negative for a signal; None before."""
        ...

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        ...

    def terminate(self, timeout: float = 30) -> int | None:
        """SIGTERM, wait at most `timeout` seconds for the exit status; None when it is left running."""
        ...

    def log_tail(self, lines: int = 20) -> str:
        """The last lines it logged, secrets redacted."""
        ...


class Installation(Protocol):
    """The driver under test, installed on a node."""

    target: Target
    node: Node

    @property
    def state_dir(self) -> Path:
        """The folder on the node in which the driver keeps its state, as seen from the harness."""
        ...

    @property
    def instances(self) -> Sequence[Instance]:
        """Living instances, oldest first."""
        ...

    def start(self, *, uid: str | None = None, next_version: bool = False) -> Instance:
        """Start an instance. With the `uid` of an earlier one it is that pod's container restarted; else a new pod.

        Waits for nothing but the process itself. `next_version` starts the driver file's next version if there is one.
        """
        ...

    def wait_ready(self, *, timeout: float = 60) -> None:
        """Wait until an instance is registered and its pools are published and complete. Raises WaitTimeout."""
        ...

    def trouble(self) -> str:
        """What keeps it from being ready: the likely cause and its last log lines; "" when it is ready."""
        ...

    def restore(self) -> None:
        """Back to exactly one living, ready instance, whatever a check did. Raises Inconclusive when that fails."""
        ...

    def restart(self) -> Instance:
        """SIGKILL the only instance and start it again with the same pod UID; wait until it is ready."""
        ...

    def away(self) -> AbstractContextManager[None]:
        """Inside the block no instance lives: all were killed; afterwards a new one, of a new pod, is started."""
        ...

    def hook(self, name: str, *, device: str = "", pool: str = "") -> None:
        """Run a hook of the driver file, such as `remove_device`, for a device of the node.

        Raises NotRun where there is none or hooks are not run, Inconclusive when it fails.
        """
        ...

    def roll_out(self) -> AbstractContextManager[tuple[Instance, Instance]]:
        """(old, new): a second instance with its own pod UID started, old and new both alive inside the block."""
        ...


class Fleet(Protocol):
    """The driver on more than one node, an instance on each.

    one_machine: whether the nodes are one machine to the driver, with one host name and one machine id.
    """

    one_machine: bool

    @property
    def installations(self) -> Sequence[Installation]:
        """One for each node, that of the first node first."""
        ...

    def roll_out(self) -> AbstractContextManager[Sequence[tuple[Instance, Instance]]]:
        """(old, new) of each node, in order, from one update for all nodes; old and new all alive inside the block."""
        ...

    def lose(self, node: Node) -> AbstractContextManager[None]:
        """Inside the block the node is off and its Node object deleted, as when a machine is removed.

        Afterwards it is back as a machine that was switched on again, with a new Node object, and the driver on it
        started, which need not be ready yet.
        """
        ...


class ApiFaults(Protocol):
    """The driver's way to the API server, which can be disturbed."""

    def rule(self, rule: Rule) -> AbstractContextManager[Rule]:
        """Inside the block the rule is in force for requests that begin."""
        ...

    def cut(self) -> None:
        """End all connections, and with them every watch; new ones are welcome."""
        ...

    def away(self) -> AbstractContextManager[None]:
        """Inside the block nobody listens: connections are ended, new ones refused."""
        ...


class Backend(Protocol):
    """A kind of cluster: embedded, control-plane, kind, existing. `image` is an image whose container just waits."""

    kind: str
    image: str
    api: Api
    history: History
    nodes: Sequence[Node]

    def start(self) -> None:
        """Bring it up. Raises Inconclusive with the reason when it cannot be."""
        ...

    def stop(self) -> None:
        """Take it down; nothing is left behind. May be called twice."""
        ...

    def install(self, target: Target) -> Installation:
        """Install the driver on the first node; wait for nothing."""
        ...

    def fleet(self, installation: Installation) -> AbstractContextManager[Fleet]:
        """Inside the block the installed driver runs, ready, on at least two nodes; `nodes` has them all.

        Pods that are still on the other nodes at its end are deleted where these nodes end with it. Raises NotRun where
        there is only one node to be had, or nodes share what the driver needs for itself; WaitTimeout when the driver
        does not become ready.
        """
        ...

    def companion(self) -> AbstractContextManager[Target]:
        """Inside the block another driver, brought by the suite, runs, ready, on the first node; what it is.

        Raises NotRun where it cannot be installed, WaitTimeout when it does not become ready.
        """
        ...

    def hide_claims(self) -> AbstractContextManager[None]:
        """Inside the block the API server shows no claim to the driver. Raises NotRun where that cannot be done."""
        ...

    def refuse_writes(self, resource: str) -> AbstractContextManager[None]:
        """Inside the block the API server refuses the driver's writes of `resourceslices` or `resourceclaims/status`.

        Raises NotRun where that cannot be done.
        """
        ...

    def api_faults(self, installation: Installation) -> AbstractContextManager[ApiFaults]:
        """Inside the block the driver, started anew and ready, reaches the API server on a way that can be disturbed.

        Afterwards it is started anew once more, and need not be ready yet. Raises NotRun where that cannot be had,
        WaitTimeout when the driver does not get ready.
        """
        ...

    def describe(self) -> dict[str, Any]:
        """Kind, Kubernetes version, runtime, settings: for the report."""
        ...


@runtime_checkable
class Shared(Protocol):
    """What a Backend has besides where others use the cluster, too."""

    def own_name(self, name: str) -> str:
        """A name, made of this one, that nobody else's object of the whole cluster has."""
        ...

    def elsewhere(self, names: Collection[str]) -> set[str]:
        """Those of the names that are nodes of the cluster which nobody looks at."""
        ...

    def claims_free(self, target: Target) -> int:
        """How many valid claims the first node has room for beside those of others."""
        ...


@runtime_checkable
class Spared(Protocol):
    """What a Backend has besides where checks that disturb the driver or its node have a node of their own."""

    def turn(self, *, disruptive: bool) -> Installation:
        """Make the node for such checks, or the other one, the first of `nodes`; the driver on it.

        To be called once the driver is installed; nothing is waited for.
        """
        ...


@runtime_checkable
class Telling(Protocol):
    """What a Backend has besides where nobody can look into a container: it has to tell what it sees.

    A container of this image with this command writes it into its log, where `Node.container` finds it.
    """

    telling_image: str
    telling_command: Sequence[str]
