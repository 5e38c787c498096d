"""Alive is a driver whose sockets answer; ready is one that pods can come to."""

import socket
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest

from reference_driver.plugin import Answer, ClaimRef, Deadline, DraServer, Probes, RegistrationServer, probes
from reference_driver.plugin.dra_api import dra_v1_pb2, dra_v1_pb2_grpc

from .conftest import Start
from .fake_api import FakeApi
from .process import eventually

HTTP = "--http-address=127.0.0.1:0"


def test_ready_means_published_and_registered(start: Start, api: FakeApi) -> None:
    api.refusals = {"POST": 403}
    driver = start(HTTP)
    eventually(lambda: driver.http("/healthz") == (200, "ok\n"))
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
        self.calls = 0

    def prepare(self, refs: Sequence[ClaimRef], deadline: Deadline) -> dict[str, Answer]:
        self.calls += 1
        self.over.wait()
        return {ref.uid: Answer() for ref in refs}


def test_busy_is_alive_and_stuck_is_not(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all its threads at work it still answers; once a call takes longer than anybody waits for it, it hangs."""
    handler: Any = Stuck()
    slices: Any = Published()
    registration = RegistrationServer(root / "reg.sock", "d.example.com", root / "dra.sock", ["v1.DRAPlugin"])
    service = DraServer(root / "dra.sock", handler)
    own = Probes(registration, service, slices)
    assert len(own.alive()) == 2, "they have not started"
    registration.start()
    service.start()
    eventually(lambda: own.alive() == [])
    with grpc.insecure_channel(f"unix:{service.path}") as channel:
        prepare = dra_v1_pb2_grpc.DRAPluginStub(channel).NodePrepareResources
        request = dra_v1_pb2.NodePrepareResourcesRequest(claims=[dra_v1_pb2.Claim(namespace="n", name="c", uid="u")])
        calls = [prepare.future(request, wait_for_ready=True) for _ in range(40)]
        eventually(lambda: handler.calls == 16)
        eventually(lambda: own.alive() == [])
        monkeypatch.setattr(probes, "STUCK", 0.0)
        assert f"a call to {service.path} is at work since" in own.alive()[0]
        handler.over.set()
        for call in calls:
            call.exception()
    eventually(lambda: own.alive() == [])
    service.stop()
    assert own.alive() == [f"socket {service.path} is gone, or is another's"]
    registration.stop()
