"""A driver that others wrote, in Go: the Kubernetes project's test driver, with the embedded API server."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.answer import ClaimRef
from conformance.cluster.embedded.apiserver import ApiServer
from conformance.cluster.kubelet import Kubelet, KubeletSettings
from conformance.cluster.wait import wait_for
from conformance.history import History

NAME = "test-driver.cdi.k8s.io"


class Driver:
    """The driver's process, started and killed at will."""

    def __init__(self, binary: Path, folder: Path, server: ApiServer, kubelet: Kubelet) -> None:
        self._log = (folder / "driver.log").open("wb")
        (kubelet.plugins_dir / NAME).mkdir()
        self._command = [
            str(binary),
            f"--kubeconfig={server.kubeconfig(folder / 'kubeconfig')}",
            f"--drivername={NAME}",
            "kubelet-plugin",
            f"--node-name={kubelet.name}",
            f"--plugin-registration-path={kubelet.registry_dir}",
            f"--datadir={kubelet.plugins_dir}",
            f"--cdi-dir={kubelet.cdi_dir}",
        ]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=self._log, stderr=self._log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        self._log.close()


class Cluster:
    """API server, kubelet and driver."""

    def __init__(self, folder: Path, binary: Path) -> None:
        (folder / "a").mkdir()
        self.history = History()
        self.server = ApiServer(folder, self.history)
        self.server.start()
        self.api = self.server.api("harness")
        settings = KubeletSettings(wipe_delay=1)
        self.kubelet = Kubelet("node-a", folder / "a", self.server.api("kubelet"), self.history, settings)
        self.kubelet.start()
        self.driver = Driver(binary, folder, self.server, self.kubelet)

    def slices(self) -> list[str]:
        items = self.api.list("resourceslices", field_selector=f"spec.driver={NAME}")["items"]
        return [item["metadata"]["name"] for item in items]

    def close(self) -> None:
        self.driver.close()
        self.kubelet.stop()
        self.api.close()
        self.server.stop()


@pytest.fixture
def cluster(run_dir: Path, go_driver_binary: Path) -> Iterator[Cluster]:
    cluster = Cluster(run_dir, go_driver_binary)
    yield cluster
    cluster.close()


def test_it_comes_goes_and_comes_back(cluster: Cluster) -> None:
    [registration] = cluster.kubelet.wait_registered(NAME)
    assert registration.supported_versions[0] == "v1.DRAPlugin"
    wait_for(cluster.slices, "slices", timeout=10)
    assert cluster.history.wait("rpc", lambda e: e["phase"] == "message", timeout=10), "it reports health"

    cluster.driver.kill()
    cluster.kubelet.wait_connected(NAME, connected=False)
    wait_for(lambda: not cluster.slices(), "the slices to be wiped", timeout=10)

    cluster.driver.start()
    cluster.kubelet.wait_connected(NAME)
    wait_for(cluster.slices, "slices", timeout=40)
    assert cluster.kubelet.unprepare().error == ""


def test_a_restart_of_the_kubelet_wipes_and_registers_again(cluster: Cluster) -> None:
    cluster.kubelet.wait_registered(NAME)
    before = wait_for(cluster.slices, "slices", timeout=10)
    since = len(cluster.history)
    cluster.kubelet.restart()
    cluster.kubelet.wait_registered(NAME)
    deleted = cluster.history.wait(
        "api", lambda e: e["type"] == "DELETED" and e["object"]["metadata"]["name"] in before, since=since, timeout=5
    )
    assert deleted is not None


def test_prepare_and_unprepare(cluster: Cluster) -> None:
    cluster.kubelet.wait_registered(NAME)
    missing = ClaimRef("default", "missing", "11111111-2222-3333-4444-555555555555")
    assert cluster.kubelet.prepare(missing).error != ""
    assert cluster.kubelet.unprepare(missing).error == ""
