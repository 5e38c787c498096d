"""Container edits: what a spec or a device changes in a container, and the rules for them (container-edits.go)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.cluster.cdi.errors import CdiError, present, quoted

HOOK_NAMES = ("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop")
NO_PERMISSIONS = "none"
"""The value of `permissions` for a device node without cgroup access."""

Part = Mapping[str, Any]


@dataclass
class ContainerEdits:
    """Edits in the order in which they are applied; the parts keep the field names of the spec file."""

    env: list[str] = field(default_factory=list)
    device_nodes: list[Part] = field(default_factory=list)
    net_devices: list[Part] = field(default_factory=list)
    hooks: list[Part] = field(default_factory=list)
    mounts: list[Part] = field(default_factory=list)
    intel_rdt: Part | None = None
    additional_gids: list[int] = field(default_factory=list)

    @classmethod
    def from_raw(cls, raw: Part) -> "ContainerEdits":
        """Edits of a decoded `containerEdits`."""
        return cls(
            env=list(raw.get("env", ())),
            device_nodes=list(raw.get("deviceNodes", ())),
            net_devices=list(raw.get("netDevices", ())),
            hooks=list(raw.get("hooks", ())),
            mounts=list(raw.get("mounts", ())),
            intel_rdt=raw.get("intelRdt"),
            additional_gids=list(raw.get("additionalGids", ())),
        )

    def append(self, other: "ContainerEdits") -> None:
        """Add edits behind these; a later intelRdt replaces an earlier one."""
        self.env += other.env
        self.device_nodes += other.device_nodes
        self.net_devices += other.net_devices
        self.hooks += other.hooks
        self.mounts += other.mounts
        self.intel_rdt = other.intel_rdt if other.intel_rdt is not None else self.intel_rdt
        self.additional_gids += other.additional_gids

    @property
    def empty(self) -> bool:
        """Whether they change nothing."""
        lists: Iterable[Sequence[Any]] = (
            self.env,
            self.device_nodes,
            self.net_devices,
            self.hooks,
            self.mounts,
            self.additional_gids,
        )
        return self.intel_rdt is None and not any(lists)

    def check(self) -> None:
        """Raises CdiError with the library's text for the first edit that is not valid."""
        try:
            _check_env(self.env)
        except CdiError as error:
            raise CdiError(f"invalid container edits: {error}") from None
        for node in present(self.device_nodes):
            _check_device_node(node)
        for hook in present(self.hooks):
            _check_hook(hook)
        for mount in present(self.mounts):
            _check_mount(mount)
        if self.intel_rdt is not None:
            _check_intel_rdt(self.intel_rdt)
        _check_net_devices(self.net_devices)


def _check_env(env: Iterable[str]) -> None:
    for entry in env:
        if entry.find("=") <= 0:
            raise CdiError(f"invalid environment variable {quoted(entry)}")


def _check_device_node(node: Part) -> None:
    path, kind, permissions = node.get("path", ""), node.get("type", ""), node.get("permissions", "")
    if not path:
        raise CdiError("invalid (empty) device path")
    if kind not in ("", "b", "c", "u", "p"):
        raise CdiError(f"device {quoted(path)}: invalid type {quoted(kind)}")
    if permissions != NO_PERMISSIONS and permissions.strip("rwm"):
        raise CdiError(f"device {quoted(path)}: invalid permissions {quoted(permissions)}")


def _check_hook(hook: Part) -> None:
    name = hook.get("hookName", "")
    if name not in HOOK_NAMES:
        raise CdiError(f"invalid hook name {quoted(name)}")
    if not hook.get("path"):
        raise CdiError(f"invalid hook {quoted(name)} with empty path")
    try:
        _check_env(hook.get("env", ()))
    except CdiError as error:
        raise CdiError(f"invalid hook {quoted(name)}: {error}") from None


def _check_mount(mount: Part) -> None:
    if not mount.get("hostPath"):
        raise CdiError("invalid mount, empty host path")
    if not mount.get("containerPath"):
        raise CdiError("invalid mount, empty container path")


def _check_intel_rdt(rdt: Part) -> None:
    name = rdt.get("closID", "")
    if name != "/" and (len(name.encode()) >= 4096 or name in (".", "..") or "/" in name or "\n" in name):
        raise CdiError("invalid ClosID")


def _check_net_devices(devices: Iterable[Part]) -> None:
    by_host: dict[str, str] = {}
    by_name: dict[str, str] = {}
    for device in present(devices):
        host, name = device.get("hostInterfaceName", ""), device.get("name", "")
        for what, value in (("HostInterfaceName", host), ("Name", name)):
            if not value:
                raise CdiError(f"invalid linux net device, empty {what}")
        _check_unique("HostInterfaceName", host, "names", (name, by_host.get(host)))
        _check_unique("Name", name, "HostInterfaceName", (host, by_name.get(name)))
        by_host[host], by_name[name] = name, host


def _check_unique(what: str, value: str, other: str, users: tuple[str, str | None]) -> None:
    new, old = users
    if old is not None:
        raise CdiError(
            f"invalid linux net device, duplicate {what} {quoted(value)} with {other} {quoted(new)} and {quoted(old)}"
        )
