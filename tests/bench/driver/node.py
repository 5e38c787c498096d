"""A node with one driver on it, a process, and the bench in the place of the kubelet."""

import os
import shutil
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import grpc

import conformance
from conformance.cluster.api import Api
from conformance.cluster.dra_api import dra_v1_pb2, dra_v1_pb2_grpc, pluginregistration_pb2, pluginregistration_pb2_grpc
from conformance.cluster.local.process import Process
from conformance.cluster.wait import wait_for
from conformance.history import History
from conformance.session.rundir import RUN_VARIABLE
from conformance.target import Target
from tests.bench.driver.control_plane import ControlPlane

OURS = "reference_driver.gpu"
"""The module that is the reference driver."""
_PATIENCE = 60.0  # seconds
_TICKS = os.sysconf("SC_CLK_TCK")  # a second


class Node:
    """One node of the bench. `started`: when the driver was, by time.monotonic()."""

    def __init__(
        self,
        plane: ControlPlane,
        run: Path,
        name: str,
        target: Target,
        more: Sequence[str] = (),
        *,
        program: str = OURS,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Start the driver. Raises TargetError, OSError.

        more: arguments beyond those of its file; program: the module to run in the place of the reference driver's own.
        """
        self.name = name
        self.target = target
        self.folder = run / name
        self._channels: list[grpc.Channel] = []
        for made in ("plugins", "reg", "cdi"):
            (self.folder / made).mkdir(parents=True)
        (self.folder / "boot_id").write_text(str(uuid.uuid4()), encoding="ascii")
        line = target.command_line(self._values(plane.add_node(name)))
        for folder in line.folders:
            folder.mkdir(parents=True, exist_ok=True)
        self.started = time.monotonic()
        self.process = Process(
            [*(program if word == OURS else word for word in line.argv), *more],
            env={
                **line.env,
                **(env or {}),
                RUN_VARIABLE: str(run),
                "PYTHONPATH": str(Path(conformance.__file__).parents[1]),
            },
            cwd=line.cwd,
            log=self.folder / "log",
            history=History(),
            name=target.driver_name,
            instance=name,
        )

    def _values(self, kubeconfig: Path) -> dict[str, str]:
        return {
            "kubeconfig": str(kubeconfig),
            "node_name": self.name,
            "node_root": str(self.folder),
            "kubelet_dir": str(self.folder),
            "plugins_dir": str(self.folder / "plugins"),
            "registry_dir": str(self.folder / "reg"),
            "cdi_dir": str(self.folder / "cdi"),
            "boot_id_file": str(self.folder / "boot_id"),
            "pod_uid": str(uuid.uuid4()),
            "instance": "0",
        }

    def register(self) -> float:
        """Register the driver as soon as it lets us; the seconds that took from its start."""
        stub = pluginregistration_pb2_grpc.RegistrationStub(self._channel(self._registration()))
        info = stub.GetInfo(pluginregistration_pb2.InfoRequest(), timeout=_PATIENCE, wait_for_ready=True)
        status = pluginregistration_pb2.RegistrationStatus(plugin_registered=True)
        stub.NotifyRegistrationStatus(status, timeout=_PATIENCE, wait_for_ready=True)
        self._info, self.dra = stub.GetInfo, dra_v1_pb2_grpc.DRAPluginStub(self._channel(Path(info.endpoint)))
        return time.monotonic() - self.started

    def wait_published(self, api: Api) -> float:
        """Wait until its pool is complete; the seconds that took from its start."""
        wait_for(lambda: _complete(api, self.name), f"the pool of {self.name} to be published", timeout=_PATIENCE)
        return time.monotonic() - self.started

    def ask_for_nothing(self) -> None:
        """A call that the driver has nothing to do for."""
        self._info(pluginregistration_pb2.InfoRequest(), timeout=_PATIENCE, wait_for_ready=True)

    def prepare(self, claim: dra_v1_pb2.Claim) -> None:
        """Prepare one claim. Raises RuntimeError when the driver refuses."""
        request = dra_v1_pb2.NodePrepareResourcesRequest(claims=[claim])
        _check(claim, self.dra.NodePrepareResources(request, timeout=_PATIENCE, wait_for_ready=True))

    def unprepare(self, claim: dra_v1_pb2.Claim) -> None:
        """Unprepare one claim. Raises RuntimeError when the driver refuses."""
        request = dra_v1_pb2.NodeUnprepareResourcesRequest(claims=[claim])
        _check(claim, self.dra.NodeUnprepareResources(request, timeout=_PATIENCE, wait_for_ready=True))

    def cpu(self) -> float:
        """Seconds of a processor that the driver has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident(self) -> float:
        """MiB of memory that are resident."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def written(self) -> int:
        """Bytes that the driver has had written to disk."""
        rows = Path(f"/proc/{self.process.pid}/io").read_text(encoding="ascii").splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("write_bytes"))

    def stop(self) -> None:
        """End the driver, and remove what it left on the node."""
        for channel in self._channels:
            channel.close()
        if self.process.terminate(_PATIENCE) is None:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _registration(self) -> Path:
        def found() -> Path | None:
            if not self.process.alive:
                raise RuntimeError(f"the driver ended; its log ends with:\n{self.process.log_tail()}")
            return next((self.folder / "reg").glob("*.sock"), None)

        end = time.monotonic() + _PATIENCE
        while (path := found()) is None:
            if time.monotonic() > end:
                raise RuntimeError(f"no registration socket; the driver's log ends with:\n{self.process.log_tail()}")
            time.sleep(0.002)  # the limit is in hundredths of a second
        return path

    def _channel(self, socket: Path) -> grpc.Channel:
        again = [(f"grpc.{name}_backoff_ms", 10) for name in ("initial_reconnect", "min_reconnect", "max_reconnect")]
        channel = grpc.insecure_channel(f"unix:{socket}", [*again, ("grpc.use_local_subchannel_pool", 1)])
        self._channels.append(channel)
        return channel


def _complete(api: Api, node_name: str) -> bool:
    slices = api.list("resourceslices", field_selector=f"spec.nodeName={node_name}")["items"]
    return bool(slices) and len(slices) == slices[0]["spec"]["pool"]["resourceSliceCount"]


def _check(claim: dra_v1_pb2.Claim, response: Any) -> None:
    if error := response.claims[claim.uid].error:
        raise RuntimeError(f"claim {claim.name}: {error}")
