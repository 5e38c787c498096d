"""A driver that nobody here wrote, on the embedded cluster: the Kubernetes project's test driver, in Go."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cluster import Cluster
from conformance.cluster.embedded import EmbeddedBackend
from conformance.history import History
from conformance.session.rundir import RunDir
from conformance.target import Target, features_seen, notes
from tests.embedded_backend.test_backend import pod_with_claim


@pytest.fixture
def backend(go_driver_binary: Path, tmp_path: Path) -> Iterator[EmbeddedBackend]:
    run = RunDir.create()
    backend = EmbeddedBackend(run.path, History(), log_dir=tmp_path)
    backend.start()
    yield backend
    backend.stop()
    run.close()


def test_it_registers_publishes_and_serves_a_pod(backend: EmbeddedBackend) -> None:
    target = Target.load("kubernetes-test-driver")
    installation = backend.install(target)
    installation.start()
    installation.wait_ready()
    slices = backend.api.list("resourceslices", field_selector=f"spec.driver={target.driver_name}")["items"]
    versions = backend.nodes[0].registrations(target.driver_name)[0].supported_versions
    classes = backend.api.list("deviceclasses")["items"]
    assert notes(target.features_claimed, features_seen(slices, versions, classes)) == []

    pod = pod_with_claim(Cluster(backend, target, "default", Path()), "user")
    pod.wait_running()
    claim = pod.claim("devices")
    facts = {"driver": target.driver_name, "claim_uid": claim.uid, "request": "device"}
    facts |= {"pool": claim.devices()[0].pool, "device": claim.devices()[0].device}
    assert target.container_expectation.unmet([facts], **pod.container().seen()) == []
    pod.delete()
    assert backend.nodes[0].cdi.devices_for(claim.uid) == []

    first = installation.instances[0]
    assert first.terminate() == 0
    installation.restore()
    assert [instance.uid != first.uid for instance in installation.instances] == [True]
