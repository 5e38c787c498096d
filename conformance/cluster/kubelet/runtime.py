"""The container runtime as far as devices go: sandboxes, and containers that CDI has edited. Nothing is executed."""

import secrets
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.cluster.cdi import CdiError, CdiRegistry, inject
from conformance.cluster.protocol import ContainerView
from conformance.verdict import Inconclusive


class ContainerError(Exception):
    """The runtime could not create a container because of its CDI devices; the text is containerd's."""


@dataclass(frozen=True)
class Container(ContainerView):
    """A created container. Beside what ContainerView has: hooks as in the specs, and further groups of the process."""

    hooks: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    additional_gids: Sequence[int] = field(default_factory=tuple)


class Runtime:
    """Sandboxes of a node by pod UID. They outlive the kubelet, but not a reboot.

    device_nodes: paths of character devices that are taken to be on the node, for hardware that is made up.
    """

    def __init__(self, cdi: CdiRegistry, host_root: Path = Path("/")) -> None:
        self._cdi = cdi
        self._host_root = host_root
        self.device_nodes: Collection[str] = ()
        self._lock = threading.Lock()
        self._sandboxes: dict[str, dict[str, Container]] = {}

    def has_sandbox(self, pod_uid: str) -> bool:
        """Whether the pod has a sandbox."""
        with self._lock:
            return pod_uid in self._sandboxes

    def pods(self) -> list[str]:
        """UIDs of pods with a sandbox."""
        with self._lock:
            return list(self._sandboxes)

    def create_sandbox(self, pod_uid: str) -> None:
        """Make a pod's sandbox, without containers."""
        with self._lock:
            self._sandboxes.setdefault(pod_uid, {})

    def create(self, pod_uid: str, name: str, env: Mapping[str, str], cdi_ids: Sequence[str]) -> Container:
        """Create a container, or create it anew. Raises ContainerError; an earlier one of that name is gone then."""
        with self._lock:
            if pod_uid not in self._sandboxes:
                raise Inconclusive(f"container {name} of pod {pod_uid} cannot be created: the pod has no sandbox")
            self._sandboxes[pod_uid].pop(name, None)
        try:
            # No user: containerd injects before it knows whose process it will be, so nodes get no owner from that.
            made = inject(self._cdi, cdi_ids, self._host_root, env=env, made_up=self.device_nodes)
        except CdiError as error:
            # The number is containerd's id of the container, of which each try gets another one.
            number = secrets.token_hex(32)
            raise ContainerError(
                f'failed to generate container "{number}" spec: failed to generate spec: {error}'
            ) from None
        container = Container(
            env=made.env,
            devices=tuple(made.devices),
            mounts=tuple(made.mounts),
            cdi_ids=tuple(cdi_ids),
            hooks=tuple(made.hooks),
            additional_gids=tuple(made.additional_gids),
            net_devices=made.net_devices,
        )
        with self._lock:
            if pod_uid in self._sandboxes:
                self._sandboxes[pod_uid][name] = container
        return container

    def container(self, pod_uid: str, name: str) -> Container | None:
        """A container, None where there is none."""
        with self._lock:
            return self._sandboxes.get(pod_uid, {}).get(name)

    def remove(self, pod_uid: str) -> None:
        """Stop a pod's containers and take its sandbox away."""
        with self._lock:
            self._sandboxes.pop(pod_uid, None)

    def clear(self) -> None:
        """Lose everything, as in a reboot."""
        with self._lock:
            self._sandboxes.clear()
