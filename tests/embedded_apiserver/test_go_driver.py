"""A Go driver built on client-go publishes its slices here, puts lost ones back and sees other writers."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.embedded.apiserver import ApiServer

DRIVER = "test-driver.cdi.k8s.io"


@pytest.fixture
def go_driver(own_server: ApiServer, run_dir: Path, go_driver_binary: Path) -> Iterator[subprocess.Popen[bytes]]:
    own_server.api().create("nodes", {"metadata": {"name": "node-a"}})
    for folder in ("reg", f"plugins/{DRIVER}", "cdi"):
        (run_dir / folder).mkdir(parents=True)
    options = ["--kube-api-qps=1000", "--kube-api-burst=2000", f"--drivername={DRIVER}"]
    plugin = ["kubelet-plugin", "--node-name=node-a", "--num-devices=4", f"--plugin-registration-path={run_dir}/reg"]
    process = subprocess.Popen(
        [
            *(
                str(go_driver_binary),
                f"--kubeconfig={own_server.kubeconfig(run_dir / 'kc', node='node-a')}",
                *options,
                *plugin,
            ),
            *(f"--datadir={run_dir}/plugins", f"--cdi-dir={run_dir}/cdi"),
        ],
        env={"PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield process
    process.send_signal(signal.SIGKILL)
    process.wait(5)


@pytest.mark.usefixtures("go_driver")
def test_it_publishes_its_slice(own_server: ApiServer) -> None:
    history = own_server.history
    event = history.wait("api", lambda e: e["resource"] == "resourceslices", timeout=8)
    assert event is not None
    obj = event["object"]
    assert [device["name"] for device in obj["spec"]["devices"]] == [f"device-0{index}" for index in range(4)]
    assert obj["metadata"]["ownerReferences"][0]["uid"] == own_server.store.get("nodes", "node-a")["metadata"]["uid"]
    requests = [(e["verb"], e["code"]) for e in history.events("request", lambda e: e["resource"] == "resourceslices")]
    assert requests == [("watch", 200), ("create", 201)]
