"""The embedded cluster as a Backend: everything wired up in this process, the driver as a process beside it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from conformance.cluster.api import Api
from conformance.cluster.embedded.apiserver import ApiServer
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.controllers import Controllers
from conformance.cluster.embedded.scheduler import Scheduler, SchedulerSettings
from conformance.cluster.kubeconfig import Access
from conformance.cluster.kubelet import KubeletSettings
from conformance.cluster.local.backend import LocalBackend
from conformance.history import History
from conformance.target import Target, TargetError

KUBERNETES_VERSION = "v1.37.2"
_WRITES = ("create", "update", "patch", "delete", "deletecollection")


@dataclass(frozen=True)
class EmbeddedSettings:
    """Periods of what the suite plays itself; what the contract gives a driver is never cut."""

    kubelet: KubeletSettings = field(default_factory=KubeletSettings)
    scheduler: SchedulerSettings = field(default_factory=SchedulerSettings)


class EmbeddedBackend(LocalBackend):
    """A cluster with one node, up in well under a second. Needs no root, no Docker and no Kubernetes."""

    kind = "embedded"

    def __init__(
        self, run_dir: Path, history: History, *, settings: EmbeddedSettings | None = None, log_dir: Path
    ) -> None:
        """run_dir: private folder of the run, with a short path; log_dir: where drivers' logs go."""
        super().__init__(run_dir, history, log_dir=log_dir)
        self.settings = settings or EmbeddedSettings()
        self._server = ApiServer(run_dir, history)

    @contextmanager
    def hide_claims(self) -> Iterator[None]:
        """Inside the block the API server shows no claim to the driver: it answers each GET with 404."""
        fault = self._server.faults.add(_driver_gets_claim, 404, times=sys.maxsize)
        try:
            yield
        finally:
            fault.times = 0

    @contextmanager
    def refuse_writes(self, resource: str) -> Iterator[None]:
        """Inside the block the API server answers the driver's writes of a resource with 500."""

        def is_write(info: RequestInfo) -> bool:
            return info.user == "driver" and info.verb in _WRITES and info.full_resource == resource

        fault = self._server.faults.add(is_write, 500, times=sys.maxsize)
        try:
            yield
        finally:
            fault.times = 0

    def describe(self) -> dict[str, Any]:
        """Kind, Kubernetes version that is played, runtime, settings: for the report."""
        return {
            "kind": self.kind,
            "kubernetes": KUBERNETES_VERSION,
            "runtime": "embedded (CDI only)",
            "kernel": os.uname().release,
            "gates": "those that are on by default",
            "nodes": [node.name for node in self.nodes],
            "settings": asdict(self.settings),
        }

    @property
    def administrator(self) -> Access:
        """The API server, and credentials of somebody who may do everything; there once it was started."""
        return self._server.access("harness")

    def _start(self) -> None:
        self._run(self._server.start, self._server.stop)
        store = self._server.store
        controllers = Controllers(store, self.history)
        self._run(controllers.start, controllers.stop)
        scheduler = Scheduler(store, self.history, self.settings.scheduler)
        self._run(scheduler.start, scheduler.stop)
        self.api = self._server.api("harness")
        self._start_kubelet()

    def _kubelet_api(self, node: str) -> Api:  # noqa: ARG002 - all kubelets are one user here
        return self._server.api("kubelet")

    def _kubelet_settings(self) -> KubeletSettings:
        return self.settings.kubelet

    def _write_kubeconfig(self, node: str) -> None:
        self._server.kubeconfig(self._kubeconfig_of(node), node=node)

    def _path_of(self, obj: dict[str, Any], target: Target) -> NoReturn:
        raise TargetError(
            f"{target.path}: manifests: the embedded cluster has no {obj.get('kind')}; "
            "leave it out, or use another cluster"
        )


def _driver_gets_claim(info: RequestInfo) -> bool:
    return info.user == "driver" and info.verb == "get" and info.full_resource == "resourceclaims"
