"""What a plugin is told on its command line."""

import argparse
import os
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import PluginError
from .log import LEVELS

KUBELET = Path("/var/lib/kubelet")
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_UID = re.compile(r"[A-Za-z0-9-]*")


@dataclass(frozen=True)
class Options:
    """Where a plugin runs and where its things are. `pod_uid` makes its sockets unique, for a rolling update.

    `http_address`: where metrics and probes are served, nowhere by default; `log_level`: one of log.LEVELS.
    """

    driver_name: str
    node_name: str
    kubeconfig: Path | None = None
    plugins_dir: Path = KUBELET / "plugins"
    registry_dir: Path = KUBELET / "plugins_registry"
    cdi_dir: Path = Path("/var/run/cdi")
    pod_uid: str = ""
    boot_id_file: Path = BOOT_ID
    device_status: bool = True
    device_metadata: bool = True
    http_address: str = ""
    log_level: str = "info"
    health: bool = True
    taints: bool = True

    @property
    def data_dir(self) -> Path:
        """The driver's own folder: its socket, its lock, its checkpoint."""
        return self.plugins_dir / self.driver_name

    def boot_id(self) -> str:
        """Which boot of the node this is; empty where the kernel does not say."""
        try:
            return self.boot_id_file.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return ""

    def check(self) -> None:
        """Raise PluginError, naming the setting, for a name that cannot be one, or a folder that cannot be used."""
        _check_name("--driver-name", self.driver_name, 63)
        _check_name("--node-name ($NODE_NAME)", self.node_name, 253)
        if not _UID.fullmatch(self.pod_uid):
            raise PluginError(f"--pod-uid cannot be {self.pod_uid!r}: a UID has letters, digits and dashes")
        _check_folder("--plugins-dir", self.data_dir)
        _check_folder("--registry-dir", self.registry_dir)


def _check_name(setting: str, name: str, most: int) -> None:
    if not _SUBDOMAIN.fullmatch(name) or len(name) > most:
        raise PluginError(
            f"{setting} cannot be {name!r}: it must be a DNS subdomain in lower case, of at most {most} characters"
        )


def _check_folder(setting: str, folder: Path) -> None:
    """Make a folder that is not there: the kubelet may come later. Whether it is its folder, only its call can tell."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PluginError(f"{setting}: folder {folder} cannot be made: {error.strerror}") from error
    if not writable(folder):
        raise PluginError(f"{setting}: folder {folder} cannot be written to")


def writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself where it is not there yet."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def add_arguments(parser: argparse.ArgumentParser, driver_name: str) -> None:
    """The arguments that every plugin has; the node's name can come from the environment, as in a DaemonSet."""
    node = os.environ.get("NODE_NAME")
    parser.add_argument("--driver-name", default=driver_name, help="name of the DRA driver (%(default)s)")
    parser.add_argument("--node-name", default=node, required=not node, help="name of this node ($NODE_NAME)")
    parser.add_argument("--kubeconfig", type=Path, help="kubeconfig file ($KUBECONFIG, else the pod's account)")
    parser.add_argument("--plugins-dir", type=Path, default=KUBELET / "plugins", help="the kubelet's plugins folder")
    parser.add_argument("--registry-dir", type=Path, default=KUBELET / "plugins_registry", help="where it looks for us")
    parser.add_argument("--cdi-dir", type=Path, default=Path("/var/run/cdi"), help="where CDI specs go (%(default)s)")
    parser.add_argument("--pod-uid", default="", help="UID of the own pod: makes rolling updates possible")
    parser.add_argument("--boot-id-file", type=Path, default=BOOT_ID, help="holds the id of this boot (%(default)s)")
    flag = argparse.BooleanOptionalAction
    parser.add_argument("--device-status", action=flag, default=True, help="say in claims what was prepared")
    parser.add_argument("--device-metadata", action=flag, default=True, help="give containers files about devices")
    parser.add_argument("--http-address", default="", help="host:port or :port of metrics and probes (none)")
    parser.add_argument("--log-level", choices=LEVELS, default="info", help="what is logged at least (%(default)s)")
    parser.add_argument("--health", action=flag, default=True, help="tell the kubelet how devices are")
    parser.add_argument("--taints", action=flag, default=True, help="keep new claims away from devices that are sick")


def from_arguments(arguments: argparse.Namespace) -> Options:
    """The options from parsed arguments; folders become absolute, as the kubelet is told them."""
    return Options(
        driver_name=arguments.driver_name,
        node_name=arguments.node_name,
        kubeconfig=arguments.kubeconfig,
        plugins_dir=arguments.plugins_dir.absolute(),
        registry_dir=arguments.registry_dir.absolute(),
        cdi_dir=arguments.cdi_dir.absolute(),
        pod_uid=arguments.pod_uid,
        boot_id_file=arguments.boot_id_file,
        device_status=arguments.device_status,
        device_metadata=arguments.device_metadata,
        http_address=arguments.http_address,
        log_level=arguments.log_level,
        health=arguments.health,
        taints=arguments.taints,
    )
