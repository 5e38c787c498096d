"""The wrapper as a process: started in the driver's place, with the driver as its child."""

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path, PurePosixPath
from typing import Any

import grpc

from conformance.cluster.dra_api import pluginregistration_pb2 as messages
from conformance.cluster.kubeconfig import read_kubeconfig
from conformance.cluster.kubelet.connection import wait_ready
from conformance.cluster.kubelet.plugin import PluginError
from conformance.cluster.kubelet.rpc import Call, Caller, RpcFailed
from conformance.cluster.kubelet.settings import KubeletSettings
from conformance.cluster.local.apiproxy import ApiProxy
from conformance.cluster.local.process import launcher
from conformance.cluster.tap import Places, Tap
from conformance.cluster.tap.driver import TappedDriver
from conformance.history import History
from tests.mutants.wrapper.fault import Fault, Place

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)


def run(make: Callable[[Place], Fault], arguments: Sequence[str] | None = None) -> int:
    """Run the driver with a fault until it ends or is told to; its exit status."""
    # Before gRPC starts threads: one of them would take the signal. The child gets them unblocked.
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    given = _parse(sys.argv[1:] if arguments is None else arguments)
    place = Place(given.driver_name, given.node_name, given.kubeconfig, given.plugins_dir, given.cdi_dir)
    fault = make(place)
    shadow = given.home / "r"
    shadow.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        proxy = stack.enter_context(ApiProxy(read_kubeconfig(given.kubeconfig), given.home / "proxy"))
        for rule in fault.rules():
            stack.enter_context(proxy.rule(rule))
        proxy.write_kubeconfig(given.home / "kubeconfig")
        tap = _Tap(
            shadow, given.registry_dir, given.plugins_dir / given.driver_name, _FaultyCaller(given.node_name, fault)
        )
        tap.start()
        status = _follow(given.command)
        if any(path.is_socket() for path in shadow.iterdir()):
            # It was killed, or left its sockets there: ours stay, too, as they do when nobody is in between.
            sys.stderr.flush()
            os._exit(status)
        tap.stop()
    return status


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.mutants.wrapper", description="Runs a driver with a fault around it.")
    parser.add_argument("--home", type=Path, required=True, help="folder of its own: shadow registry, kubeconfig")
    parser.add_argument("--registry-dir", type=Path, required=True, help="where the kubelet looks for drivers")
    parser.add_argument("--plugins-dir", type=Path, required=True, help="where the driver's folder is")
    parser.add_argument("--cdi-dir", type=Path, required=True, help="where the driver's CDI specs are")
    parser.add_argument("--kubeconfig", type=Path, required=True, help="the way to the API server")
    parser.add_argument("--node-name", required=True, help="name of the node")
    parser.add_argument("--driver-name", required=True, help="name of the driver")
    parser.add_argument("command", nargs="+", help="the driver's own command")
    return parser.parse_args(arguments)


def _follow(command: Sequence[str]) -> int:
    """Start the driver and pass signals on until it ends; its exit status, as a shell would state it."""
    child = subprocess.Popen([*launcher(), *command], preexec_fn=_unblock)
    while child.poll() is None:
        number = signal.sigwait(_SIGNALS)
        if number != signal.SIGCHLD and child.poll() is None:
            child.send_signal(number)
    status = int(child.returncode)
    return status if status >= 0 else 128 - status


def _unblock() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


class _Tap(Tap):
    """A tap for one instance; others may run on the node, so that it removes no sockets when it starts."""

    def __init__(self, shadow: Path, registry: Path, home: Path, caller: Caller) -> None:
        super().__init__(Places(shadow, registry, home, PurePosixPath(home), Path), caller, KubeletSettings())

    def start(self) -> None:
        self._watcher.start()

    def _make(self, socket: Path) -> TappedDriver:
        return _Early(socket, self._places, self.plugins, self._caller, self._settings, self._told)


class _Early(TappedDriver):
    """Serves the DRA socket before it announces it, as drivers do; a tap makes it only when the kubelet asks."""

    def _begin(self) -> None:
        if wait_ready(self._dialled.channel, self._settings.dial_timeout, self._stopping):
            with suppress(grpc.RpcError, PluginError):
                info = self._stub.GetInfo(messages.InfoRequest(), timeout=self._settings.get_info_timeout)
                self._take(info, self._settings.get_info_timeout)
        super()._begin()


class _FaultyCaller(Caller):
    """Lets the fault have its way with every call and every message of a health stream."""

    def __init__(self, node: str, fault: Fault) -> None:
        super().__init__(node, History())
        self._fault = fault
        self._methods = {
            "GetInfo": fault.get_info,
            "NotifyRegistrationStatus": fault.notify,
            "NodePrepareResources": fault.prepare,
            "NodeUnprepareResources": fault.unprepare,
        }

    def call(self, call: Call, method: Any) -> Any:
        def send(request: Any) -> Any:
            return super(_FaultyCaller, self).call(Call(**{**vars(call), "request": request}), method)

        return self._methods[call.method](call.request, send)

    def stream(self, call: Call, method: Any, take: Callable[[Any], None]) -> None:
        def faulty(message: Any) -> None:
            try:
                changed = self._fault.health(message)
            except RpcFailed:
                self.cancel(threading.get_ident())
                raise
            if changed is not None:
                take(changed)

        super().stream(call, method, faulty)
