"""The official Python client works against the embedded API server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cluster.embedded.apiserver import ApiServer
from tests.embedded_apiserver.objects import a_claim, a_slice

kubernetes: Any = pytest.importorskip("kubernetes")


@pytest.fixture(scope="module")
def client(server: ApiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = server.kubeconfig(tmp_path_factory.mktemp("client") / "kubeconfig", user="harness")
    client = kubernetes.config.new_client_from_config(str(path))
    client.rest_client.pool_manager.connection_pool_kw["retries"] = False
    yield client
    client.close()


def body(obj: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, **obj}


def test_slices_are_written_read_and_deleted(client: Any) -> None:
    api = kubernetes.client.ResourceV1Api(client)
    created = api.create_resource_slice(body(a_slice(driver="python.io"), "ResourceSlice"))
    assert created.metadata.generation == 1
    created.spec.devices = [kubernetes.client.V1Device(name="gpu-9")]
    replaced = api.replace_resource_slice(created.metadata.name, created)
    assert replaced.metadata.generation == 2
    deleted = api.delete_resource_slice(created.metadata.name)
    assert deleted.spec.devices[0].name == "gpu-9"
    assert api.list_resource_slice(field_selector="spec.driver=python.io").items == []


def test_a_status_is_patched(client: Any) -> None:
    api = kubernetes.client.ResourceV1Api(client)
    api.create_namespaced_resource_claim("default", body(a_claim("python"), "ResourceClaim"))
    device = {"request": "gpu", "driver": "python.io", "pool": "p", "device": "d"}
    status = {"status": {"allocation": {"devices": {"results": [device]}}}}
    patched = api.patch_namespaced_resource_claim_status("python", "default", status)
    assert patched.status.allocation.devices.results[0].device == "d"


def test_watching(client: Any) -> None:
    api = kubernetes.client.ResourceV1Api(client)
    name = api.create_resource_slice(body(a_slice(driver="watched.io"), "ResourceSlice")).metadata.name
    watch, seen = kubernetes.watch.Watch(), []
    for event in watch.stream(api.list_resource_slice, field_selector="spec.driver=watched.io", timeout_seconds=5):
        seen.append((event["type"], event["object"].metadata.name))
        if event["type"] == "ADDED":
            api.delete_resource_slice(name)
        else:
            watch.stop()
    assert seen == [("ADDED", name), ("DELETED", name)]


def test_errors_carry_the_status(client: Any) -> None:
    api = kubernetes.client.CoreV1Api(client)
    with pytest.raises(kubernetes.client.ApiException) as refused:
        api.read_node("nobody")
    assert refused.value.status == 404
    assert 'nodes \\"nobody\\" not found' in refused.value.body


def test_a_kubeconfig_in_a_folder_of_its_own(server: ApiServer, tmp_path: Path) -> None:
    path = server.kubeconfig(tmp_path / "kc", user="harness")
    client = kubernetes.config.new_client_from_config(str(path))
    assert kubernetes.client.VersionApi(client).get_code().git_version == "v1.37.2"
    client.close()
