"""The control-plane cluster as a Backend: Kubernetes' own programs as processes, our kubelet, the driver a process."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api, ApiError
from conformance.cluster.binaries import Binaries
from conformance.cluster.control_plane import driver
from conformance.cluster.control_plane.apiserver import ApiServerAt, Identities, User, kube_apiserver
from conformance.cluster.control_plane.audit import AuditLog
from conformance.cluster.control_plane.nodeapi import NodeApi
from conformance.cluster.control_plane.program import Place
from conformance.cluster.control_plane.programs import controllers, etcd, scheduler
from conformance.cluster.control_plane.recorder import Recorder
from conformance.cluster.facts import feature_gates
from conformance.cluster.kubeconfig import Access, write_kubeconfig
from conformance.cluster.kubelet import KubeletSettings
from conformance.cluster.local.backend import NODE_NAME, SECOND_NODE_NAME, LocalBackend
from conformance.cluster.local.ports import HeldPorts
from conformance.cluster.local.tls import make_server_files
from conformance.history import History
from conformance.target import Target, TargetError

_HARNESS = "dra-conformance"
_KUBELETS = {name: f"system:node:{name}" for name in (NODE_NAME, SECOND_NODE_NAME)}
_SCHEDULER, _CONTROLLERS = "system:kube-scheduler", "system:kube-controller-manager"
_USERS = (
    User(_HARNESS, ["system:masters"]),
    *(User(name, ["system:nodes"]) for name in _KUBELETS.values()),
    User(_SCHEDULER),
    User(_CONTROLLERS, ["system:masters"]),  # what its controllers may, each by an account of its own, taken together
)


class ControlPlaneBackend(LocalBackend):
    """A cluster with a real control plane and one node of ours, up in seconds. Needs no root and no Docker."""

    kind = "control-plane"

    def __init__(
        self,
        run_dir: Path,
        history: History,
        *,
        binaries: Callable[[], Binaries],
        settings: KubeletSettings | None = None,
        log_dir: Path,
    ) -> None:
        """`binaries`: asked at the start; `settings`: of our kubelet; otherwise as LocalBackend."""
        super().__init__(run_dir, history, log_dir=log_dir)
        self.settings = settings or KubeletSettings()
        self._find = binaries
        self._facts: dict[str, Any] = {}

    def hide_claims(self) -> AbstractContextManager[None]:
        """Inside the block the API server refuses to show claims to the driver: it may not read them."""
        return self._driver.without_claims()

    def refuse_writes(self, resource: str) -> AbstractContextManager[None]:
        """Inside the block the driver has no right to write a resource: the API server answers with 403."""
        return self._driver.without_writes(resource)

    def describe(self) -> dict[str, Any]:
        """Kind, version of Kubernetes, runtime, settings: for the report."""
        return {
            "kind": self.kind,
            **self._facts,
            "runtime": "embedded (CDI only)",
            "kernel": os.uname().release,
            "nodes": [node.name for node in self.nodes],
            "settings": {"kubelet": asdict(self.settings)},
        }

    @property
    def administrator(self) -> Access:
        """The API server, and credentials of somebody who may do everything; there once it was started."""
        return self._at.access(_HARNESS)

    def _start(self) -> None:
        binaries = self._find()
        folder = self._run_dir / "control-plane"
        folder.mkdir(mode=0o700)
        self._place = Place(folder, self._run_dir, self._log_dir, self.history, binaries.programs)
        self._ports = HeldPorts(3)
        self._running.callback(self._ports.close)
        self._start_api_server()
        self._start_clients()
        version, gates = self.api.request("GET", "/version")["gitVersion"], feature_gates(self.api)
        self._facts = {"kubernetes": version, "binaries": binaries.origin, "gates": gates}

    def _start_api_server(self) -> None:
        place = self._place
        store = etcd(place)
        self._run(store.start, store.stop)
        identities = Identities(place.folder / "tokens.csv", _USERS)
        self._at = ApiServerAt(self._ports.numbers[0], make_server_files(place.folder / "tls"), identities)
        audit = AuditLog(
            place.folder, self.history, service_accounts=driver.NAMESPACE, trusted=[_SCHEDULER, _CONTROLLERS]
        )
        self._run(audit.start, audit.stop)
        harness = self._at.access(_HARNESS)
        self.api = Api(harness.server, harness.ca_file, harness.token)
        server = kube_apiserver(place, self._at, identities, audit, self.api)
        store.wait_ready()
        self._run(server.start, server.stop)
        server.wait_ready()
        recorder = Recorder(self.api, self.history)
        self._run(recorder.start, recorder.stop)

    def _start_clients(self) -> None:
        place, files, ports = self._place, self._at.files, self._ports.numbers
        programs = scheduler(place, ports[1], files), controllers(place, ports[2], files)
        for program, user in zip(programs, (_SCHEDULER, _CONTROLLERS), strict=True):
            write_kubeconfig(place.folder / f"{program.name}.kubeconfig", self._at.access(user), user)
            self._run(program.start, program.stop)
        self._driver = driver.DriverIdentity(self.api)
        self._driver.create()
        self._start_kubelet()
        for program in programs:
            program.wait_ready()

    def _kubelet_api(self, node: str) -> Api:
        kubelet = self._at.access(_KUBELETS[node])
        return NodeApi(kubelet.server, kubelet.ca_file, kubelet.token)

    def _kubelet_settings(self) -> KubeletSettings:
        return self.settings

    def _write_kubeconfig(self, node: str) -> None:
        write_kubeconfig(self._kubeconfig_of(node), self._at.with_token(self._driver.token(node)), driver.NAME)

    def _path_of(self, obj: dict[str, Any], target: Target) -> str:
        """The path for objects of a kind, from what the API server says that it serves."""
        group = str(obj.get("apiVersion", ""))
        base = f"/apis/{group}" if "/" in group else f"/api/{group}"
        try:
            rows = self.api.request("GET", base)["resources"]
        except ApiError:
            rows = []
        row = next((row for row in rows if row["kind"] == obj.get("kind") and "/" not in row["name"]), None)
        if row is None:
            raise TargetError(
                f"{target.path}: manifests: the API server serves no {obj.get('kind')} of apiVersion {group!r}; "
                "mend it, or put the definition of that kind before it"
            )
        namespace = obj.get("metadata", {}).get("namespace", "default")
        return f"{base}/namespaces/{namespace}/{row['name']}" if row["namespaced"] else f"{base}/{row['name']}"
