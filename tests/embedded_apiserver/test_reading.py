"""How the server reads what clients send: unknown and repeated fields, options, kinds, media types, sizes."""

import json
from typing import Any

import pytest
import urllib3

from conformance.cluster.api import Api, ApiError, BadRequest, Invalid
from conformance.cluster.embedded.apiserver import ApiServer
from tests.embedded_apiserver.objects import a_slice

SLICES = "/apis/resource.k8s.io/v1/resourceslices"
PATCH = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"


def send(server: ApiServer, body: str, content_type: str = "application/json", **query: str) -> Any:
    """Status, warnings and body of a POST of a dry run."""
    headers = {"Authorization": f"Bearer {server.access().token}", "Content-Type": content_type}
    fields = "&".join(f"{key}={value}" for key, value in {"dryRun": "All", **query}.items())
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:
        answer = pool.request("POST", f"{server.url}{SLICES}?{fields}", headers=headers, body=body)
    return answer.status, answer.headers.getlist("warning"), answer.json()


def test_unknown_and_repeated_fields(server: ApiServer) -> None:
    text = json.dumps(a_slice("odd", colour="red")).replace('"nodeName"', '"nodeName": "x", "nodeName"')
    notes = ['unknown field "spec.colour"', 'duplicate field "spec.nodeName"']
    code, warnings, _ = send(server, text)
    assert (code, [warning.replace("\\", "") for warning in warnings]) == (201, [f'299 - "{note}"' for note in notes])
    code, warnings, body = send(server, text, fieldValidation="Strict")
    assert (code, warnings) == (400, [])
    assert body["message"].endswith(f"strict decoding error: {', '.join(notes)}")
    assert send(server, text, fieldValidation="Ignore")[:2] == (201, [])


def test_yaml_is_read_too(server: ApiServer) -> None:
    text = "metadata: {name: yaml, annotations: {when: 2026-01-01}}\nspec:\n  driver: a.b\n  driver: gpu.example.com\n"
    code, warnings, body = send(server, text, "application/yaml")
    assert code == 422
    assert warnings == ['299 - "duplicate field \\"spec.driver\\""']
    assert "spec.driver" not in body["message"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"dryRun": "Some"}, 'dryRun: Unsupported value: \\["Some"\\]'),
        ({"fieldValidation": "Loud"}, 'fieldValidation: Unsupported value: "Loud"'),
        ({"fieldManager": "m" * 129}, "fieldManager: Too long"),
    ],
)
def test_options_that_there_are_not(api: Api, query: dict[str, str], text: str) -> None:
    with pytest.raises(Invalid, match=f'CreateOptions.meta.k8s.io "" is invalid: {text}'):
        api.request("POST", SLICES, query=query, body=a_slice("options"))


@pytest.mark.parametrize(
    ("content_type", "query", "text"),
    [
        (PATCH, {"force": "true"}, "may not be specified for non-apply patch"),
        (APPLY, {}, "is required for apply patch"),
    ],
)
def test_options_of_patches(api: Api, content_type: str, query: dict[str, str], text: str) -> None:
    with pytest.raises(Invalid, match=text):
        api.request("PATCH", f"{SLICES}/any", query=query, body={}, content_type=content_type)


def test_what_is_applied_has_to_fit(api: Api) -> None:
    config = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", **a_slice("fits", colour="red")}
    with pytest.raises(ApiError, match=r"\.spec\.colour: field not declared in schema"):
        api.request("PATCH", f"{SLICES}/fits", query={"fieldManager": "m"}, body=config, content_type=APPLY)
    with pytest.raises(BadRequest, match="invalid object type: v1, Kind=ResourceSlice"):
        odd = {**config, "apiVersion": "v1"}
        api.request("PATCH", f"{SLICES}/fits", query={"fieldManager": "m"}, body=odd, content_type=APPLY)


def test_a_patch_of_another_media_type(api: Api) -> None:
    with pytest.raises(ApiError, match="415: Unsupported Media Type"):
        api.request("PATCH", f"{SLICES}/any", body={})


def test_a_body_of_another_media_type(server: ApiServer) -> None:
    code, _, body = send(server, "{}", "text/plain")
    assert code == 415
    assert "accepted media types include: application/json, application/yaml" in body["message"]


def test_a_body_that_is_too_large(server: ApiServer) -> None:
    code, _, body = send(server, json.dumps(a_slice("large")) + " " * 3 * 1024 * 1024)
    assert (code, body["reason"]) == (413, "RequestEntityTooLarge")


def test_methods_that_are_not_served(api: Api) -> None:
    for method, path in (("PUT", SLICES), ("POST", f"{SLICES}/x"), ("DELETE", "/api/v1/namespaces")):
        with pytest.raises(ApiError, match="does not allow this method") as refused:
            api.request(method, path, body={})
        assert refused.value.status == 405


def test_what_one_may_do(server: ApiServer) -> None:
    review = {"spec": {"resourceAttributes": {"verb": "create", "resource": "resourceclaims"}}}
    path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
    for user, allowed in (("harness", True), ("driver", False)):
        api = server.api(user)
        assert api.request("POST", path, body=review)["status"]["allowed"] is allowed
        api.close()
