"""Older versions of resource.k8s.io show the same objects, v1beta1 in a layout of its own."""

from itertools import islice
from typing import Any

import pytest
import urllib3

from conformance.cluster.api import Api, NotFound
from conformance.cluster.embedded.apiserver import ApiServer
from conformance.cluster.embedded.apiserver.conversion import CLAIM_V1BETA1, SLICE_V1BETA1
from tests.embedded_apiserver.objects import a_claim, a_slice

BETA = "/apis/resource.k8s.io/v1beta1"


def beta_slice(name: str) -> dict[str, Any]:
    obj = a_slice(name, devices=[{"name": "gpu-0", "basic": {"attributes": {"index": {"int": 0}}}}])
    return {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceSlice", **obj}


def test_devices_of_v1beta1_are_basic(api: Api) -> None:
    created = api.request("POST", f"{BETA}/resourceslices", body=beta_slice("basic"))
    assert created["spec"]["devices"] == beta_slice("basic")["spec"]["devices"]
    device = {"name": "gpu-0", "attributes": {"index": {"int": 0}}}
    assert api.get("resourceslices", "basic")["spec"]["devices"] == [device]
    patch = {"spec": {"devices": [{"name": "gpu-1"}]}}
    patched = api.request(
        "PATCH", f"{BETA}/resourceslices/basic", body=patch, content_type="application/merge-patch+json"
    )
    assert patched["spec"]["devices"] == [{"name": "gpu-1", "basic": {}}]


def test_requests_of_v1beta1_are_flat(api: Api) -> None:
    flat = {"name": "gpu", "deviceClassName": "gpu.example.com"}
    claim = {"metadata": {"name": "flat"}, "spec": {"devices": {"requests": [flat]}}}
    created = api.create("resourceclaims", claim, "default", version="v1beta1")
    assert created["spec"]["devices"]["requests"] == [{**flat, "allocationMode": "ExactCount", "count": 1}]
    request = api.get("resourceclaims", "flat", "default")["spec"]["devices"]["requests"][0]
    assert request["exactly"] == {"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": 1}


@pytest.mark.parametrize(
    "request_",
    [
        {"name": "a", "exactly": {"deviceClassName": "c", "adminAccess": False}},
        {"name": "a", "firstAvailable": [{"name": "b", "deviceClassName": "c"}]},
        {"name": "a"},
    ],
)
def test_claims_come_back_as_they_went(request_: dict[str, Any]) -> None:
    claim = {**a_claim(), "spec": {"devices": {"requests": [request_]}}}
    assert CLAIM_V1BETA1.to_stored(CLAIM_V1BETA1.from_stored(claim)) == claim


def test_slices_come_back_as_they_went() -> None:
    obj = a_slice("s", devices=[{"name": "a", "capacity": {"m": {"value": "1"}}}, {"name": "b"}])
    assert SLICE_V1BETA1.to_stored(SLICE_V1BETA1.from_stored(obj)) == obj


def test_a_version_that_is_deprecated_says_so(server: ApiServer, api: Api) -> None:
    headers = {"Authorization": f"Bearer {server.access().token}"}
    with urllib3.PoolManager(ca_certs=str(server.ca_file)) as pool:

        def warned(path: str) -> list[str]:
            return pool.request("GET", f"{server.url}{path}", headers=headers).headers.getlist("warning")

        text = "resource.k8s.io/v1beta1 ResourceSlice is deprecated in v1.35+, unavailable in v1.38+"
        assert warned(f"{BETA}/resourceslices") == [f'299 - "{text}"']
        assert warned(f"{BETA}/resourceslices?watch=true&timeoutSeconds=1") == [f'299 - "{text}"']
        assert warned("/apis/resource.k8s.io/v1beta2/devicetaintrules") == []
    with pytest.raises(NotFound):
        api.request("GET", f"{BETA}/devicetaintrules")


def test_watches_are_in_the_version_that_was_asked_for(own_server: ApiServer) -> None:
    own_server.store.create("resourceslices", a_slice("s"))
    headers = {"Authorization": f"Bearer {own_server.access().token}"}
    url = f"{own_server.url}{BETA}/resourceslices?watch=true"
    with urllib3.PoolManager(ca_certs=str(own_server.ca_file)) as pool:
        response = pool.request("GET", url, headers=headers, preload_content=False, timeout=5)
        chunks = response.stream()
        first = next(islice(chunks, 1))
        own_server.store.delete("resourceslices", "s")
        second = next(islice(chunks, 1))
        response.close()
    for row in (first, second):
        assert b'"devices":[{"name":"gpu-0","basic":{}}]' in row


def test_events_have_two_groups(api: Api) -> None:
    about = {"kind": "Pod", "namespace": "default", "name": "p"}
    event = {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"name": "twice"},
        "eventTime": "2026-01-01T00:00:00.000000Z",
        "reportingController": "example.com/test",
        "reportingInstance": "test-0",
        "action": "Testing",
        "reason": "Tested",
        "type": "Normal",
        "regarding": about,
        "note": "it works",
    }
    created = api.request("POST", "/apis/events.k8s.io/v1/namespaces/default/events", body=event)
    assert {key: created[key] for key in ("regarding", "note", "reportingController")} == {
        "regarding": about,
        "note": "it works",
        "reportingController": "example.com/test",
    }
    core = api.get("events", "twice", "default")
    assert (core["apiVersion"], core["involvedObject"], core["message"]) == ("v1", about, "it works")
