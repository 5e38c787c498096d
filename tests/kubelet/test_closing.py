"""A plugin's connection may be closed before a call on it was made, as when its driver has just ended."""

from pathlib import Path

import pytest

from conformance.cluster.answer import ClaimRef
from conformance.cluster.kubelet import KubeletSettings, RpcFailed
from conformance.cluster.kubelet.health import HealthBook
from conformance.cluster.kubelet.metrics import Metrics
from conformance.cluster.kubelet.plugin import DRA_SERVICES, Plugin
from conformance.cluster.kubelet.rpc import Caller
from conformance.cluster.protocol import Registration
from conformance.history import History

CLAIM = ClaimRef("ns", "claim", "uid-1")


@pytest.mark.parametrize("service", DRA_SERVICES)
def test_a_call_on_a_closed_connection_fails(run_dir: Path, service: str) -> None:
    """gRPC crashes the whole process when a method is looked up on a channel that was closed."""
    settings = KubeletSettings()
    registration = Registration("gpu.example.com", str(run_dir / "dra.sock"), tuple(DRA_SERVICES), run_dir)
    book = HealthBook(settings.health_timeout, lambda _: None)
    plugin = Plugin(registration, Caller("node-a", History()), settings, book, Metrics(), lambda _: None)
    plugin.close()
    with pytest.raises(RpcFailed):
        plugin.call("NodePrepareResources", [CLAIM], service=service)
