"""Somebody's cluster: a real control plane, our kubelet, a driver on it, and a pod with a device."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conformance.cluster.binaries import Binaries
from conformance.cluster.control_plane import ControlPlaneBackend
from conformance.cluster.kubeconfig import write_kubeconfig
from conformance.cluster.local.tls import make_server_files
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.report import load
from conformance.report.model import Report
from conformance.session.rundir import RunDir
from conformance.target import Target
from tests.kep5970.logs import LogServer
from tests.variants import ROOT

DRIVER = "gpu.example.com"
SECRET = "hunter2-hunter2-hunter2"
"""The value of a variable that a container with a claim has; it may stand nowhere."""
Object = dict[str, Any]


class Somebody:
    """The cluster, and runs of the command line on it."""

    def __init__(self, backend: ControlPlaneBackend, folder: Path) -> None:
        self.backend = backend
        self.api = backend.api
        self.kubeconfig = write_kubeconfig(folder / "kubeconfig", backend.administrator, "admin")

    @contextmanager
    def driver(self, file: Path | str) -> Iterator[None]:
        """Inside the block the driver of a driver file is on the cluster, as far as it gets."""
        installation = self.backend.install(Target.load(str(file)))
        installation.start()
        try:
            wait_for(self._slices, "ResourceSlices", timeout=30)
            yield
        finally:
            installation.stop()
            self.api.delete_collection("resourceslices")
            wait_for(lambda: not self._slices(), "ResourceSlices to be gone", timeout=30)

    def checked(self, folder: Path, *options: str, device_class: str = DRIVER) -> tuple[int, str, Report | None]:
        """Exit status, what was said, and the report, of a run with nothing but the names."""
        names = [f"--driver-name={DRIVER}", f"--device-class={device_class}", f"--kubeconfig={self.kubeconfig}"]
        return run(folder, "--cluster=existing", *names, "--profile=kep-5970", *options)

    def objects(self) -> Object:
        """Names of all there is of the kinds that a run makes something of, without its events."""
        kinds = ("namespaces", "pods", "resourceclaims", "resourceclaimtemplates", "deviceclasses", "resourceslices")
        return {kind: sorted(map(_identity, self.api.list(kind)["items"])) for kind in kinds}

    @contextmanager
    def without_logs(self) -> Iterator[None]:
        """Inside the block nobody answers where the kubelet serves logs."""
        self._kubelet_at(1)
        try:
            yield
        finally:
            self._kubelet_at(self._port)

    def _slices(self) -> list[Object]:
        return list(self.api.list("resourceslices")["items"])

    def serve_logs(self, server: LogServer) -> None:
        self._port = server.port
        self._kubelet_at(self._port)

    def told(self, namespace: str, pod: str, container: str) -> tuple[list[str], Mapping[str, str]]:
        """Command and environment of a container of the node."""
        found = self.api.get("pods", pod, namespace)
        spec = next(row for row in found["spec"]["containers"] if row["name"] == container)
        given = {"LICENSE": SECRET} if container == "with" else {}
        return spec["command"], {**self.backend.nodes[0].container(found["metadata"]["uid"], container).env, **given}

    def _kubelet_at(self, port: int) -> None:
        status = {
            "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        }
        self.api.patch("nodes", self.backend.nodes[0].name, {"status": status}, subresource="status")


def _identity(obj: Object) -> tuple[str, str, str]:
    meta = obj["metadata"]
    return meta.get("namespace", ""), meta["name"], meta["uid"]


@contextmanager
def somebody(binaries: Binaries, folder: Path) -> Iterator[Somebody]:
    """The cluster, without a driver."""
    place = RunDir.create()
    backend = ControlPlaneBackend(place.path, History(), binaries=lambda: binaries, log_dir=folder)
    try:
        backend.start()
        made = Somebody(backend, folder)
        server = LogServer(make_server_files(folder / "kubelet"), made.told)
        try:
            made.serve_logs(server)
            yield made
        finally:
            server.stop()
    finally:
        backend.stop()
        place.close()


def run(folder: Path, *options: str) -> tuple[int, str, Report | None]:
    """Exit status, what was said, and the report, of `dra-conformance run`."""
    command = [sys.executable, "-m", "conformance.cli", "run", f"--report-dir={folder}", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True, check=False)
    report = load(folder) if (folder / "report.json").exists() else None
    return done.returncode, done.stdout + done.stderr, report
