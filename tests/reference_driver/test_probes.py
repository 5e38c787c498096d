"""Alive is a driver whose sockets answer; ready is one that pods can come to."""

import socket
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest

from reference_driver.plugin import Answer, ClaimRef, Deadline, DraServer, Probes, RegistrationServer
from reference_driver.plugin.dra_api import dra_v1_pb2, dra_v1_pb2_grpc

from .conftest import Start
from .fake_api import FakeApi
from .process import eventually

HTTP = "--http-address=127.0.0.1:0"


def test_ready_means_published_and_registered(start: Start, api: FakeApi) -> None:
    api.refusals = {"POST": 403}
    driver = start(HTTP)
    assert driver.http("/healthz") == (200, "ok\n")
    eventually(lambda: "made-up failure 403" in driver.http("/readyz")[1])
    driver.notify(True)
    api.refusals = {}
    eventually(lambda: driver.http("/readyz") == (200, "ok\n"), timeout=10)
    driver.notify(False, "no reason")
    assert driver.http("/readyz") == (503, "the kubelet has not registered the driver\n")


@pytest.mark.parametrize("which", ["registration", "endpoint"])
def test_a_socket_that_is_gone_or_replaced(start: Start, which: str) -> None:
    driver = start(HTTP)
    path: Path = getattr(driver, which)
    path.unlink()
    assert driver.http("/healthz") == (503, f"socket {path} is gone, or is another's\n")
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        assert driver.http("/healthz")[0] == 503


class Published:
    """Slices without trouble."""

    trouble = ""


class Stuck:
    """A handler that is at work for ever."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def prepare(self, refs: Sequence[ClaimRef], deadline: Deadline) -> dict[str, Answer]:
        self.over.wait()
        return {}


def test_a_service_that_has_no_thread_left(root: Path) -> None:
    """Its socket is there and takes connections, but who calls it waits in vain."""
    handler: Any = Stuck()
    slices: Any = Published()
    registration = RegistrationServer(root / "reg.sock", "d.example.com", root / "dra.sock", ["v1.DRAPlugin"])
    service = DraServer(root / "dra.sock", handler)
    probes = Probes(registration, service, slices)
    assert len(probes.alive()) == 2, "they have not started"
    registration.start()
    service.start()
    assert probes.alive() == []
    with grpc.insecure_channel(f"unix:{service.path}") as channel:
        prepare = dra_v1_pb2_grpc.DRAPluginStub(channel).NodePrepareResources
        request = dra_v1_pb2.NodePrepareResourcesRequest(claims=[dra_v1_pb2.Claim(namespace="n", name="c", uid="u")])
        calls = [prepare.future(request, wait_for_ready=True) for _ in range(40)]
        eventually(lambda: probes.alive() == [f"socket {service.path} does not answer: DEADLINE_EXCEEDED"])
        handler.over.set()
        for call in calls:
            call.exception()
    assert probes.alive() == []
    service.stop()
    assert probes.alive() == [f"socket {service.path} is gone, or is another's"]
    registration.stop()
