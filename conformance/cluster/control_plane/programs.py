"""etcd, the scheduler and the controllers: their command lines."""

from collections.abc import Mapping
from pathlib import Path

from conformance.cluster.api import Api
from conformance.cluster.control_plane.program import Place, Program, answers
from conformance.cluster.local.tls import ServerFiles

CONTROLLERS = (
    "resourceclaim-controller",
    "device-taint-eviction-controller",
    "taint-eviction-controller",
    "namespace-controller",
    "garbage-collector-controller",
    "pod-garbage-collector-controller",
)
"""Controllers that have to do with devices, and with what is left of objects that are deleted."""


def etcd(place: Place) -> Program:
    """etcd on unix sockets in the folder, which no other user can reach; what it writes need not outlive the run."""
    client, peer = "unix://etcd-client:0", "unix://etcd-peer:0"  # etcd wants something like host:port
    flags = {
        "name": "dra-conformance",
        "data-dir": place.folder / "etcd",
        "unsafe-no-fsync": "true",
        "log-level": "warn",
        "listen-client-urls": client,
        "advertise-client-urls": client,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": f"dra-conformance={peer}",
    }
    return Program(place, "etcd", flags, etcd_socket(place).exists)


def etcd_socket(place: Place) -> Path:
    """The socket that etcd makes when it is ready."""
    return place.folder / "etcd-client:0"


def tls_flags(files: ServerFiles) -> Mapping[str, object]:
    """The serving certificate, which all programs share."""
    return {"tls-cert-file": files.cert, "tls-private-key-file": files.key}


def scheduler(place: Place, port: int, files: ServerFiles) -> Program:
    """The scheduler; its kubeconfig is kube-scheduler.kubeconfig in the folder."""
    return _client(place, "kube-scheduler", port, files, {})


def controllers(place: Place, port: int, files: ServerFiles) -> Program:
    """The controllers; their kubeconfig is kube-controller-manager.kubeconfig in the folder."""
    return _client(place, "kube-controller-manager", port, files, {"controllers": ",".join(CONTROLLERS)})


def _client(place: Place, name: str, port: int, files: ServerFiles, more: Mapping[str, object]) -> Program:
    flags = {
        "kubeconfig": place.folder / f"{name}.kubeconfig",
        "leader-elect": "false",
        "bind-address": "127.0.0.1",
        "secure-port": port,
        "permit-port-sharing": "true",
        **tls_flags(files),
        "kube-api-qps": 500,
        "kube-api-burst": 1000,
        **more,
    }
    health = Api(f"https://127.0.0.1:{port}", files.ca)
    return Program(place, name, flags, lambda: answers(health, "/healthz"))
