"""The reference driver's webhook, asked by a real API server."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import reference_driver.deploy
from conformance.cluster import wait_for
from conformance.cluster.api import Api, ApiError
from conformance.cluster.control_plane import ControlPlaneBackend
from tests.reference_driver.webhook_process import WebhookProcess

MANIFEST = Path(reference_driver.deploy.__file__).parent / "webhook.yaml"
CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
API_VERSION = "gpu.resource.example.com/v1alpha1"
Object = dict[str, Any]


def config(strategy: str, driver: str = "gpu.example.com") -> list[Object]:
    parameters = {"apiVersion": API_VERSION, "kind": "GpuConfig", "sharing": {"strategy": strategy}}
    return [{"opaque": {"driver": driver, "parameters": parameters}}]


def request(version: str) -> list[Object]:
    asked = {"deviceClassName": "gpu.example.com"}
    return [{"name": "gpu", **asked} if version == "v1beta1" else {"name": "gpu", "exactly": asked}]


def claim(name: str, configs: list[Object], version: str) -> Object:
    return {"metadata": {"name": name}, "spec": {"devices": {"requests": request(version), "config": configs}}}


def template(name: str, configs: list[Object], version: str) -> Object:
    return {"metadata": {"name": name}, "spec": {"spec": claim(name, configs, version)["spec"]}}


def device_class(name: str, configs: list[Object], _version: str) -> Object:
    return {"metadata": {"name": name}, "spec": {"config": configs}}


KINDS: list[tuple[str, Callable[[str, list[Object], str], Object], str]] = [
    ("resourceclaims", claim, "spec.devices"),
    ("resourceclaimtemplates", template, "spec.spec.devices"),
    ("deviceclasses", device_class, "spec"),
]


def create(api: Api, resource: str, obj: Object, version: str = "v1") -> Object:
    return api.create(resource, obj, None if resource == "deviceclasses" else "default", version=version)


@pytest.fixture(scope="module")
def webhook(backend: ControlPlaneBackend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebhookProcess]:
    """The webhook, and the configuration that ships, but for where it is. One claim is older than that."""
    # Without parameters, since a patch writes JSON as Go does, and any other form of them counts as another spec.
    empty = {"opaque": {"driver": "gpu.example.com", "parameters": {}}}
    create(backend.api, "resourceclaims", claim("older", [empty], "v1"))
    process = WebhookProcess(tmp_path_factory.mktemp("webhook"))
    (shipped,) = (
        obj
        for obj in yaml.safe_load_all(MANIFEST.read_text(encoding="utf-8"))
        if obj["kind"] == "ValidatingWebhookConfiguration"
    )
    authority = base64.b64encode(process.files.ca.read_bytes()).decode()
    shipped["webhooks"][0]["clientConfig"] = {"url": f"{process.url}/validate", "caBundle": authority}
    backend.api.request("POST", CONFIGURATIONS, body=shipped)
    wait_for(
        lambda: refusal(backend.api, "resourceclaims", claim("probe", config("Luck"), "v1")),
        "the webhook to be asked",
        timeout=20,
    )
    yield process
    backend.api.request("DELETE", f"{CONFIGURATIONS}/{shipped['metadata']['name']}")
    assert process.end() == 0


def refusal(api: Api, resource: str, obj: Object, version: str = "v1") -> str:
    """What the API server says when it does not take an object; nothing is created."""
    namespace = "" if resource == "deviceclasses" else "/namespaces/default"
    path = f"/apis/resource.k8s.io/{version}{namespace}/{resource}"
    kind = {"resourceclaims": "ResourceClaim", "resourceclaimtemplates": "ResourceClaimTemplate"}
    body = {"apiVersion": f"resource.k8s.io/{version}", "kind": kind.get(resource, "DeviceClass"), **obj}
    try:
        api.request("POST", path, query={"dryRun": "All"}, body=body)
    except ApiError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
@pytest.mark.parametrize(("resource", "make", "place"), KINDS)
def test_wrong_configs_are_refused_when_they_are_made(
    webhook: WebhookProcess, backend: ControlPlaneBackend, resource: str, make: Any, place: str, version: str
) -> None:
    said = refusal(backend.api, resource, make("bad", config("Luck"), version), version)
    assert 'admission webhook "configs.gpu.example.com" denied the request' in said
    assert f"{place}.config[0].opaque.parameters.sharing.strategy: " in said
    assert refusal(backend.api, resource, make("good", config("TimeSlicing"), version), version) == ""
    assert refusal(backend.api, resource, make("other", config("Luck", "other.example.com"), version), version) == ""


def test_a_claim_that_is_older_than_the_webhook_can_still_be_changed_and_deleted(
    webhook: WebhookProcess, backend: ControlPlaneBackend
) -> None:
    backend.api.patch("resourceclaims", "older", {"metadata": {"finalizers": ["example.com/later"]}}, "default")
    backend.api.delete("resourceclaims", "older", "default")
    backend.api.patch("resourceclaims", "older", {"metadata": {"finalizers": None}}, "default")
    names = [item["metadata"]["name"] for item in backend.api.list("resourceclaims", "default")["items"]]
    assert "older" not in names


def test_nobody_else_waits_for_a_webhook_that_is_away(webhook: WebhookProcess, backend: ControlPlaneBackend) -> None:
    path = f"{CONFIGURATIONS}/gpu-driver-configs"
    shipped = backend.api.request("GET", path)
    url = shipped["webhooks"][0]["clientConfig"]["url"]
    try:
        shipped["webhooks"][0]["clientConfig"]["url"] = "https://127.0.0.1:1/validate"
        backend.api.request("PUT", path, body=shipped)
        good = claim("good", config("TimeSlicing"), "v1")
        wait_for(
            lambda: "failed calling webhook" in refusal(backend.api, "resourceclaims", good),
            "it to be away",
            timeout=20,
        )
        other = claim("other", config("Luck", "other.example.com"), "v1")
        assert refusal(backend.api, "resourceclaims", other) == ""
        assert refusal(backend.api, "resourceclaims", claim("none", [], "v1")) == ""
    finally:
        shipped = backend.api.request("GET", path)
        shipped["webhooks"][0]["clientConfig"]["url"] = url
        backend.api.request("PUT", path, body=shipped)
