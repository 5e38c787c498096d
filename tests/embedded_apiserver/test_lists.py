"""Pages of lists, lists of the past, and the forms of answers over HTTPS."""

from collections.abc import Iterator
from typing import Any

import pytest
import urllib3

from conformance.cluster.api import Api, ApiError, BadRequest, Expired, Invalid
from conformance.cluster.embedded.apiserver import ApiServer
from tests.embedded_apiserver.objects import a_slice

SLICES = "/apis/resource.k8s.io/v1/resourceslices"


@pytest.fixture
def five(own_server: ApiServer) -> Iterator[Api]:
    """A server with slices 0 to 4."""
    for number in range(5):
        own_server.store.create("resourceslices", a_slice(str(number)))
    api = own_server.api()
    yield api
    api.close()


def page(api: Api, **query: str) -> dict[str, Any]:
    return api.request("GET", SLICES, query=query)


def names(found: dict[str, Any]) -> list[str]:
    return [item["metadata"]["name"] for item in found["items"]]


def test_a_list_in_pages_is_of_one_state(own_server: ApiServer, five: Api) -> None:
    first = page(five, limit="2")
    assert (names(first), first["metadata"]["remainingItemCount"]) == (["0", "1"], 3)
    own_server.store.delete("resourceslices", "3")
    second = page(five, limit="2", **{"continue": first["metadata"]["continue"]})
    assert names(second) == ["2", "3"]
    assert second["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]
    last = page(five, limit="2", **{"continue": second["metadata"]["continue"]})
    assert names(last) == ["4"]
    assert "continue" not in last["metadata"]


def test_a_page_too_late_says_how_to_go_on(own_server: ApiServer, five: Api) -> None:
    token = page(five, limit="2")["metadata"]["continue"]
    own_server.store.delete("resourceslices", "3")
    own_server.store.expire("resourceslices")
    with pytest.raises(Expired, match="too old to display a consistent list") as refused:
        page(five, **{"continue": token})
    assert names(page(five, **{"continue": refused.value.body["metadata"]["continue"]})) == ["2", "4"]


def test_the_exact_state_of_a_version(own_server: ApiServer, five: Api) -> None:
    version = page(five)["metadata"]["resourceVersion"]
    own_server.store.delete("resourceslices", "0")
    assert names(page(five)) == ["1", "2", "3", "4"]
    exact = {"resourceVersion": version, "resourceVersionMatch": "Exact"}
    assert names(page(five, **exact)) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("query", "error", "text"),
    [
        ({"resourceVersionMatch": "Exact"}, Invalid, "forbidden unless resourceVersion is provided"),
        ({"resourceVersion": "999999"}, ApiError, "Too large resource version: 999999"),
        ({"resourceVersion": "x"}, BadRequest, "invalid resource version"),
        ({"limit": "x"}, BadRequest, "invalid syntax"),
        ({"continue": "x"}, BadRequest, "invalid continue token"),
        ({"watch": "true", "sendInitialEvents": "true"}, Invalid, "requires setting resourceVersionMatch"),
    ],
)
def test_what_makes_no_sense_is_refused(api: Api, query: dict[str, str], error: type[ApiError], text: str) -> None:
    with pytest.raises(error, match=text):
        page(api, **query)


def test_the_form_of_the_answer(own_server: ApiServer, five: Api) -> None:
    headers = {"Authorization": f"Bearer {own_server.access().token}"}
    with urllib3.PoolManager(ca_certs=str(own_server.ca_file)) as pool:

        def get(accept: str) -> urllib3.BaseHTTPResponse:
            return pool.request("GET", own_server.url + SLICES, headers={**headers, "Accept": accept})

        table = get("application/json;as=Table;v=v1;g=meta.k8s.io").json()
        assert [column["name"] for column in table["columnDefinitions"]] == ["Name", "Node", "Driver", "Pool", "Age"]
        assert table["rows"][0]["cells"][:2] == ["0", "node-a"]
        assert table["rows"][0]["object"]["kind"] == "PartialObjectMetadata"
        metadata = get("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io").json()
        assert [set(item) for item in metadata["items"]] == [{"kind", "apiVersion", "metadata"}] * 5
        assert get("application/yaml").data.startswith(b"apiVersion: resource.k8s.io/v1\nitems:")
        assert get("text/plain").status == 406
        assert five.list("resourceslices")["kind"] == "ResourceSliceList"
