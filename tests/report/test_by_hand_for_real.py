"""The script of a failed check, run with kubectl on another cluster that has the driver, without this suite."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster.embedded.backend import EmbeddedBackend
from conformance.cluster.kubeconfig import write_kubeconfig
from conformance.history import History
from conformance.report.byhand import by_hand
from conformance.report.recorded import recorded
from conformance.target import Target

# What would call the driver notes what it is asked to.
GRPCURL = """#!/bin/sh
echo "$*" >> "$CALLED"
cat >> "$CALLED"
"""


@pytest.fixture
def elsewhere(run_dir: Path, tmp_path: Path) -> Iterator[tuple[EmbeddedBackend, History]]:
    """An embedded cluster with the reference driver."""
    history = History()
    backend = EmbeddedBackend(run_dir, history, log_dir=tmp_path / "logs")
    backend.start()
    try:
        installation = backend.install(Target.load("reference"))
        installation.start()
        installation.wait_ready()
        yield backend, history
    finally:
        backend.stop()


def test_every_command_does_what_it_says(
    real_run: Path, elsewhere: tuple[EmbeddedBackend, History], kubectl: Path, tmp_path: Path
) -> None:
    backend, history = elsewhere
    known = recorded(real_run)
    events = known.of_check["preparation.repeat_same_devices"]
    script = by_hand(events, [event for event in known.events if event.seq < events[0].seq])
    (tmp_path / "kubectl").symlink_to(kubectl)
    (tmp_path / "grpcurl").write_text(GRPCURL)
    (tmp_path / "grpcurl").chmod(0o755)
    kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", backend.administrator, "administrator")
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "KUBECONFIG": str(kubeconfig),
        "CALLED": str(tmp_path / "called"),
    }
    done = subprocess.run(["bash", "-e"], input=script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    prepared = history.last("rpc", lambda event: event["method"] == "NodePrepareResources" and event["phase"] == "end")
    assert prepared is not None
    assert prepared["code"] == "OK"
    (claim,) = prepared["request"]["claims"]
    called = (tmp_path / "called").read_text().splitlines()
    assert called[0].endswith("k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources")
    assert json.loads(called[1]) == {"claims": [claim]}, "the claim has the name and UID that it has there"
