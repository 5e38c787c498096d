"""What a client sees over HTTPS."""

import json
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import urllib3

from conformance.cluster.api import (
    Api,
    ApiError,
    BadRequest,
    Conflict,
    Expired,
    Forbidden,
    Invalid,
    NotFound,
    Unreachable,
)
from conformance.cluster.embedded.apiserver import ApiServer
from tests.embedded_apiserver.objects import a_claim, a_pod, a_slice, an_allocation

SLICES = "/apis/resource.k8s.io/v1/resourceslices"


@pytest.fixture
def driver(server: ApiServer) -> Iterator[Api]:
    driver = server.api("driver")
    yield driver
    driver.close()


def raw(server: ApiServer, path: str, **headers: str) -> urllib3.BaseHTTPResponse:
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:
        return pool.request("GET", server.url + path, headers=headers)


def first_rows(server: ApiServer, path: str, count: int) -> list[dict[str, Any]]:
    """The first rows of a raw watch."""
    token = server.access().token
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:
        headers = {"Authorization": f"Bearer {token}"}
        response = pool.request("GET", server.url + path, headers=headers, preload_content=False, timeout=5)
        lines = (line for chunk in response.stream() for line in chunk.splitlines())
        rows = [json.loads(line) for line in islice(lines, count)]
        response.close()
    return rows


def test_health_and_version(server: ApiServer, api: Api) -> None:
    assert raw(server, "/readyz").data == b"ok"
    assert api.request("GET", "/version")["gitVersion"] == "v1.37.2"


def test_discovery_names_groups_and_resources(api: Api) -> None:
    groups = {group["name"]: group for group in api.request("GET", "/apis")["groups"]}
    assert groups["resource.k8s.io"]["preferredVersion"]["version"] == "v1"
    for version in ("v1", "v1beta2"):
        rows = api.request("GET", f"/apis/resource.k8s.io/{version}")["resources"]
        assert {"resourceslices", "resourceclaims/status", "deviceclasses"} <= {row["name"] for row in rows}
    assert api.request("GET", "/api/v1")["groupVersion"] == "v1"


@pytest.mark.parametrize("path", ["/apis/resource.k8s.io/v1alpha3", "/apis/nothing.io/v1", "/api/v1/services", "/x"])
def test_what_is_not_served_is_not_found(api: Api, path: str) -> None:
    with pytest.raises(NotFound):
        api.request("GET", path)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eA=="}])
def test_nobody_is_let_in_without_a_token(server: ApiServer, headers: dict[str, str]) -> None:
    response = raw(server, SLICES, **headers)
    assert (response.status, response.json()["reason"]) == (401, "Unauthorized")


def test_a_driver_writes_slices_and_nothing_else(api: Api, driver: Api) -> None:
    api.create("resourceclaims", a_claim("not-yours"), "default")
    created = driver.create("resourceslices", a_slice())
    assert driver.get("resourceclaims", "not-yours", "default")["spec"]
    with pytest.raises(Forbidden, match=r'cannot delete resource "resourceclaims" in API group "resource.k8s.io"'):
        driver.delete("resourceclaims", "not-yours", "default")
    driver.delete("resourceslices", created["metadata"]["name"])


def test_requests_of_a_driver_are_recorded_and_ours_are_not(own_server: ApiServer) -> None:
    own_server.api().list("nodes")
    with pytest.raises(NotFound):
        own_server.api("driver").get("nodes", "node-a")
    rows = [event.data for event in own_server.history.events("request")]
    assert [(row["user"], row["verb"], row["resource"], row["name"], row["code"]) for row in rows] == [
        ("driver", "get", "nodes", "node-a", 404)
    ]


def test_errors_are_status_objects_with_causes(api: Api) -> None:
    with pytest.raises(Invalid) as refused:
        api.create("resourceslices", a_slice("bad", driver=""))
    assert refused.value.status == 422
    assert refused.value.causes == [
        {"reason": "FieldValueRequired", "message": "Required value", "field": "spec.driver"}
    ]


def test_fields_are_dropped_unless_the_client_is_strict(api: Api) -> None:
    assert "colour" not in api.create("resourceslices", a_slice("dropped", colour="red"))["spec"]
    body = a_slice("strict", colour="red")
    with pytest.raises(BadRequest, match="unknown field"):
        api.request("POST", SLICES, query={"fieldValidation": "Strict"}, body=body)


def test_a_dry_run_stores_nothing(api: Api) -> None:
    api.request("POST", SLICES, query={"dryRun": "All"}, body=a_slice("dry"))
    with pytest.raises(NotFound):
        api.get("resourceslices", "dry")


def test_status_is_a_subresource(api: Api) -> None:
    claim = api.create("resourceclaims", a_claim("with-status"), "default")
    claim["status"] = {"allocation": an_allocation()}
    assert api.replace("resourceclaims", claim)["status"] == {}
    stored = api.replace_status("resourceclaims", claim)
    assert stored["status"]["allocation"] == an_allocation()
    patched = api.patch("resourceclaims", "with-status", {"status": None}, "default", subresource="status")
    assert patched["status"] == {}
    with pytest.raises(NotFound):
        api.request("GET", f"{SLICES}/any/status")


def test_delete_answers_with_the_object(api: Api) -> None:
    created = api.create("resourceslices", a_slice("gone"))
    with pytest.raises(Conflict):
        api.delete("resourceslices", "gone", uid="other")
    assert api.delete("resourceslices", "gone", uid=created["metadata"]["uid"])["spec"] == created["spec"]
    with pytest.raises(NotFound, match=r'resourceslices.resource.k8s.io "gone" not found'):
        api.delete("resourceslices", "gone")


def test_wiping_by_fields(api: Api) -> None:
    for name, node, driver in (("w1", "w", "a.io"), ("w2", "w", "b.io"), ("w3", "v", "a.io")):
        api.create("resourceslices", a_slice(name, nodeName=node, driver=driver))
    api.delete_collection("resourceslices", field_selector="spec.nodeName=w,spec.driver=a.io")
    left = [item["metadata"]["name"] for item in api.list("resourceslices")["items"]]
    assert {"w2", "w3"} <= set(left)
    assert "w1" not in left
    with pytest.raises(
        BadRequest, match=r"field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec\.colour"
    ):
        api.list("resourceslices", field_selector="spec.colour=red")


def test_selecting_by_labels(api: Api) -> None:
    for name, labels in (("l1", {"tier": "a"}), ("l2", {"tier": "b"}), ("l3", {})):
        api.create("nodes", {"metadata": {"name": name, "labels": {**labels, "labels": "here"}}})

    def names(selector: str) -> list[str]:
        items = api.list("nodes", label_selector=f"labels=here,{selector}")["items"]
        return [item["metadata"]["name"] for item in items]

    assert names("tier=a") == ["l1"]
    assert names("tier!=a") == ["l2", "l3"]
    assert names("tier in (a, b)") == ["l1", "l2"]
    assert names("tier notin (a)") == ["l2", "l3"]
    assert names("tier") == ["l1", "l2"]
    assert names("!tier") == ["l3"]


def test_older_versions_show_the_same_objects(api: Api) -> None:
    api.create("resourceslices", a_slice("old"), version="v1beta2")
    shown = api.request("GET", "/apis/resource.k8s.io/v1beta2/resourceslices/old")
    assert shown["apiVersion"] == "resource.k8s.io/v1beta2"
    assert api.get("resourceslices", "old")["apiVersion"] == "resource.k8s.io/v1"
    with pytest.raises(BadRequest, match="does not match the expected API version"):
        api.request("POST", SLICES, body={**a_slice("odd"), "apiVersion": "resource.k8s.io/v1beta2"})


def test_binding_a_pod(api: Api) -> None:
    api.create("pods", a_pod("bind-me"), "default")
    api.bind("bind-me", "default", "node-a")
    assert api.list("pods", "default", field_selector="spec.nodeName=node-a,status.phase=Pending")["items"]
    assert api.delete("pods", "bind-me", "default")["metadata"]["deletionTimestamp"]
    api.delete("pods", "bind-me", "default", grace_period_seconds=0)
    with pytest.raises(NotFound):
        api.get("pods", "bind-me", "default")


def test_a_streaming_list_ends_with_a_bookmark(server: ApiServer, api: Api) -> None:
    for name in ("st-1", "st-2"):
        api.create("resourceslices", a_slice(name, driver="streaming.io"))
    query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
    rows = first_rows(server, f"{SLICES}?{query}&fieldSelector=spec.driver%3Dstreaming.io", 3)
    assert [row["type"] for row in rows] == ["ADDED", "ADDED", "BOOKMARK"]
    assert rows[2]["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


def test_a_streaming_list_without_its_match_is_refused(api: Api) -> None:
    with pytest.raises(Invalid, match="sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"):
        api.request("GET", SLICES, query={"watch": "true", "sendInitialEvents": "true"})


def test_a_watch_ends_after_its_time(server: ApiServer, api: Api) -> None:
    version = api.list("resourceslices")["metadata"]["resourceVersion"]
    rows = first_rows(
        server, f"{SLICES}?watch=1&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion={version}", 9
    )
    assert [row["type"] for row in rows] == ["BOOKMARK"]


def test_a_watch_from_a_forgotten_version_is_told_so(own_server: ApiServer) -> None:
    own_server.store.create("resourceslices", a_slice("s"))
    own_server.store.expire("resourceslices")
    rows = first_rows(own_server, f"{SLICES}?watch=1&resourceVersion=1", 2)
    assert [row["type"] for row in rows] == ["ERROR"]
    assert isinstance(ApiError.of(rows[0]["object"]), Expired)


def test_faults_strike_as_often_as_asked(own_server: ApiServer) -> None:
    driver, harness = own_server.api("driver"), own_server.api()
    fault = own_server.faults.add(lambda info: info.user == "driver" and info.verb == "create", 500, times=2)
    for _ in range(2):
        with pytest.raises(ApiError) as refused:
            driver.create("resourceslices", a_slice())
        assert refused.value.status == 500
    assert driver.create("resourceslices", a_slice())
    assert fault.taken == 2
    own_server.faults.add(lambda info: info.verb == "list", 429)
    with pytest.raises(ApiError) as busy:
        harness.list("nodes")
    assert busy.value.reason == "TooManyRequests"


def test_nobody_answers_while_the_server_is_away(own_server: ApiServer) -> None:
    api = own_server.api()
    api.create("nodes", {"metadata": {"name": "n"}})
    with own_server.away(), pytest.raises(Unreachable):
        api.get("nodes", "n")
    assert api.get("nodes", "n")["metadata"]["name"] == "n"


def test_private_files_are_private(own_server: ApiServer, tmp_path: Path) -> None:
    config = own_server.kubeconfig(tmp_path / "kubeconfig", node="node-a")
    for path in (config, tmp_path / "apiserver" / "server.key"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Api.from_kubeconfig(config).list("nodes")["kind"] == "NodeList"


@pytest.mark.parametrize("content_type", ["text/plain", "application/cbor"])
def test_other_encodings_are_refused(server: ApiServer, content_type: str) -> None:
    headers = {"Authorization": f"Bearer {server.access().token}", "Content-Type": content_type}
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:
        response = pool.request("POST", server.url + SLICES, headers=headers, body=b"x")
    assert (response.status, response.json()["reason"]) == (415, "UnsupportedMediaType")


def send(server: ApiServer, method: str, path: str, content_type: str, body: bytes) -> tuple[int, Any]:
    """The status and the JSON of the answer to a raw body."""
    headers = {"Authorization": f"Bearer {server.access().token}", "Content-Type": content_type}
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:
        response = pool.request(method, server.url + path, headers=headers, body=body)
    return response.status, response.json()


CONFIG = "/api/v1/namespaces/default/configmaps"
REPLACED = "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (rb"\udcff", REPLACED),
        (rb"\uD800x", f"{REPLACED}x"),
        (rb"\ud83d\ude00", "\N{GRINNING FACE}"),
        (rb"\ud83d\ud83d\ude00", f"{REPLACED}\N{GRINNING FACE}"),
        (rb"\\udcff", r"\udcff"),
        (b"a\xffb", f"a{REPLACED}b"),
        (b"\xe2\x82", REPLACED * 2),
        ("\N{EURO SIGN}".encode(), "\N{EURO SIGN}"),
    ],
)
def test_texts_that_are_no_unicode_are_stored_with_replacement_characters(
    server: ApiServer, api: Api, given: bytes, stored: str
) -> None:
    body = b'{"metadata": {"generateName": "unicode-"}, "data": {"k": "' + given + b'"}}'
    code, made = send(server, "POST", CONFIG, "application/json", body)
    assert (code, made["data"]) == (201, {"k": stored})
    assert stored in [row.get("data", {}).get("k") for row in api.list("configmaps", "default")["items"]]


def test_half_a_surrogate_pair_is_no_yaml(server: ApiServer) -> None:
    body = b'metadata: {generateName: unicode-}\ndata: {k: "\\uDCFF"}\n'
    code, answer = send(server, "POST", CONFIG, "application/yaml", body)
    assert code == 400
    assert "invalid Unicode character escape code" in answer["message"]


def test_what_is_created_by_an_apply_needs_a_name(server: ApiServer) -> None:
    path = f"{CONFIG}/applied?fieldManager=me"
    code, answer = send(
        server, "PATCH", path, "application/apply-patch+yaml", b'{"apiVersion": "v1", "kind": "ConfigMap"}'
    )
    text = "the name of the object (applied based on URL) was undeterminable: name must be provided"
    assert (code, answer["message"]) == (400, text)
    named = b'{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}}'
    assert send(server, "PATCH", path, "application/apply-patch+yaml", named)[0] == 201


def test_a_body_that_is_nested_too_deeply_is_refused(server: ApiServer) -> None:
    body = '{"a":' * 50_000 + "{}" + "}" * 50_000
    headers = {"Authorization": f"Bearer {server.access().token}", "Content-Type": "application/json"}
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:
        response = pool.request("POST", server.url + SLICES, headers=headers, body=body)
    assert response.status == 400
    assert "nested too deeply" in response.json()["message"]
