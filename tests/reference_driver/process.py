"""The reference driver as a process, driven through its sockets as the kubelet does."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc

from reference_driver.plugin.dra_api import (
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
    pluginregistration_pb2,
    pluginregistration_pb2_grpc,
)

DRIVER = "gpu.example.com"


class DriverProcess:
    """One instance; `root` holds the node's folders."""

    def __init__(
        self, root: Path, kubeconfig: Path, *arguments: str, pod_uid: str = "", program: tuple[str, ...] = ()
    ) -> None:
        self.root = root
        self.pod_uid = pod_uid
        self.log = root / f"driver{pod_uid}.log"
        self._channels: list[grpc.Channel] = []
        program = program or ("-m", "reference_driver.gpu")
        command = [sys.executable, *program, f"--kubeconfig={kubeconfig}", "--node-name=node-a"]
        command += [f"--plugins-dir={root}/plugins", f"--registry-dir={root}/reg", f"--cdi-dir={root}/cdi"]
        command += [f"--boot-id-file={root}/boot_id", f"--pod-uid={pod_uid}", *arguments]
        (root / "boot_id").touch()
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, stderr=log)

    @property
    def registration(self) -> Path:
        return self.root / "reg" / (f"{DRIVER}-{self.pod_uid}-reg.sock" if self.pod_uid else f"{DRIVER}-reg.sock")

    @property
    def endpoint(self) -> Path:
        name = f"dra-{self.pod_uid}.sock" if self.pod_uid else "dra.sock"
        return self.root / "plugins" / DRIVER / name

    def wait_serving(self, timeout: float = 10) -> "DriverProcess":
        stub = pluginregistration_pb2_grpc.RegistrationStub(self._channel(self.registration))
        stub.GetInfo(pluginregistration_pb2.InfoRequest(), timeout=timeout, wait_for_ready=True)
        return self

    def info(self) -> pluginregistration_pb2.PluginInfo:
        stub = pluginregistration_pb2_grpc.RegistrationStub(self._channel(self.registration))
        info: pluginregistration_pb2.PluginInfo = stub.GetInfo(pluginregistration_pb2.InfoRequest(), timeout=1)
        return info

    def http(self, path: str) -> tuple[int, str]:
        """Status and body of a page; needs --http-address."""
        ports = [line["port"] for line in self.lines() if line["message"] == "metrics and probes"]
        with closing(http.client.HTTPConnection("127.0.0.1", ports[-1], timeout=10)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def lines(self) -> list[dict[str, Any]]:
        """What it has logged; each line must be a JSON object."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def notify(self, registered: bool, error: str = "") -> None:
        stub = pluginregistration_pb2_grpc.RegistrationStub(self._channel(self.registration))
        status = pluginregistration_pb2.RegistrationStatus(plugin_registered=registered, error=error)
        stub.NotifyRegistrationStatus(status, timeout=5)

    def prepare(self, *claims: dict[str, Any], timeout: float = 10, beta: bool = False) -> Any:
        return self._call("Prepare", claims, timeout, beta)

    def unprepare(self, *claims: dict[str, Any], timeout: float = 10, beta: bool = False) -> Any:
        return self._call("Unprepare", claims, timeout, beta)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def terminate(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(10)
        for channel in self._channels:
            channel.close()
        self._channels.clear()
        return status

    def _channel(self, path: Path) -> grpc.Channel:
        # A first attempt before the socket is there must not cost a second of gRPC's back-off.
        options = [("grpc.initial_reconnect_backoff_ms", 50), ("grpc.min_reconnect_backoff_ms", 50)]
        options += [("grpc.max_reconnect_backoff_ms", 50), ("grpc.use_local_subchannel_pool", 1)]
        channel = grpc.insecure_channel(f"unix:{path}", options=options)
        self._channels.append(channel)
        return channel

    def _call(self, verb: str, claims: tuple[dict[str, Any], ...], timeout: float, beta: bool) -> Any:
        messages, services = (dra_v1beta1_pb2, dra_v1beta1_pb2_grpc) if beta else (dra_v1_pb2, dra_v1_pb2_grpc)
        stub = services.DRAPluginStub(self._channel(self.endpoint))
        request = getattr(messages, f"Node{verb}ResourcesRequest")()
        for claim in claims:
            meta = claim["metadata"]
            request.claims.add(namespace=meta["namespace"], name=meta["name"], uid=meta["uid"])
        return getattr(stub, f"Node{verb}Resources")(request, timeout=timeout, wait_for_ready=True).claims


def eventually(condition: Callable[[], bool], timeout: float = 5) -> None:
    """Wait for something in another process that cannot be awaited."""
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "it did not come true"
        os.sched_yield()
        time.sleep(0.005)
