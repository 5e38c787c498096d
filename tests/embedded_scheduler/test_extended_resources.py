"""Extended resources: claims that the scheduler makes, and which container gets the devices of which request."""

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.cluster.embedded.scheduler import SchedulerSettings
from conformance.cluster.embedded.scheduler.extended import class_of
from conformance.cluster.embedded.scheduler.extendedrequests import requests_and_mappings
from conformance.cluster.wait import wait_for
from tests.embedded_scheduler.control_plane import ControlPlane, control_plane
from tests.embedded_scheduler.objects import Obj


@pytest.fixture
def plane() -> Iterator[ControlPlane]:
    with control_plane() as plane:
        yield plane


def extended(plane: ControlPlane, name: str, amount: str, **spec: Any) -> None:
    resources = {"requests": {"example.org/gpu": amount}, "limits": {"example.org/gpu": amount}}
    plane.pod(name, containers=[{"name": "c", "image": "none", "resources": resources}], **spec)


def device_class(plane: ControlPlane) -> None:
    spec = {"extendedResourceName": "example.org/gpu"}
    plane.store.create("deviceclasses", {"metadata": {"name": "e"}, "spec": spec})


def test_a_claim_is_made_for_an_extended_resource(plane: ControlPlane) -> None:
    plane.publish("a")
    plane.store.create(
        "deviceclasses", {"metadata": {"name": "e"}, "spec": {"extendedResourceName": "example.org/gpu"}}
    )
    extended(plane, "p", "1")
    plane.bound("p")
    status = plane.get("pods", "p")["status"]["extendedResourceClaimStatus"]
    request = "container-0-request-0"
    assert status["requestMappings"] == [
        {"containerName": "c", "resourceName": "example.org/gpu", "requestName": request}
    ]
    claim = plane.get("resourceclaims", status["resourceClaimName"])
    assert claim["metadata"]["annotations"] == {"resource.kubernetes.io/extended-resource-claim": "true"}
    assert [row["request"] for row in claim["status"]["allocation"]["devices"]["results"]] == [request]
    plane.finish("p")
    assert plane.gone("resourceclaims", status["resourceClaimName"])


def test_a_claim_for_an_extended_resource_goes_when_binding_fails() -> None:
    with control_plane(settings=SchedulerSettings(binding_timeout=0.01)) as plane:
        device_class(plane)
        plane.publish("a", bindingConditions=["Ready"], bindingFailureConditions=["Broken"])
        extended(plane, "p", "1")
        assert "device binding timeout: claim=p-extended-resources-" in plane.pending("p")["message"]
        wait_for(lambda: not plane.store.list("resourceclaims", "default"), "the claim to be gone", timeout=3)


def test_nobody_has_an_extended_resource(plane: ControlPlane) -> None:
    extended(plane, "p", "1")
    assert "1 Insufficient example.org/gpu." in plane.pending("p")["message"]


def container(name: str, amount: int, **more: Any) -> Obj:
    return {"name": name, "resources": {"requests": {"cpu": "1", "example.org/gpu": str(amount)}}, **more}


def test_each_container_has_a_request_of_its_own() -> None:
    pod = {"spec": {"containers": [container("a", 1), container("b", 2), {"name": "c"}]}}
    requests, mappings = requests_and_mappings(pod, {"example.org/gpu": "e"})
    assert [(row["name"], row["exactly"]["count"]) for row in requests] == [
        ("container-0-request-1", 1),
        ("container-1-request-1", 2),
    ]
    assert [row["containerName"] for row in mappings] == ["a", "b"]


def test_init_containers_use_devices_of_later_ones_and_share_the_rest() -> None:
    init = [container("small", 1), container("large", 5), container("larger", 6)]
    pod = {"spec": {"initContainers": init, "containers": [container("c", 2)]}}
    requests, mappings = requests_and_mappings(pod, {"example.org/gpu": "e"})
    assert [(row["name"], row["exactly"]["count"]) for row in requests] == [
        ("container-2-request-1", 4),
        ("container-3-request-1", 2),
    ]
    used = {
        name: [row["requestName"] for row in mappings if row["containerName"] == name] for name in ("small", "large")
    }
    assert used == {
        "small": ["container-3-request-1"],
        "large": ["container-3-request-1", "container-2-request-1"],
    }


def named(name: str, resource: str, created: int) -> Obj:
    when = f"2026-01-01T00:00:{created:02}Z"
    return {"metadata": {"name": name, "creationTimestamp": when}, "spec": {"extendedResourceName": resource}}


def test_the_newest_class_of_a_resource_counts() -> None:
    classes = {row["metadata"]["name"]: row for row in (named("a", "x.org/r", 1), named("b", "x.org/r", 2))}
    found = class_of("x.org/r", classes)
    assert found is not None
    assert found["metadata"]["name"] == "b"


def test_of_classes_of_one_second_the_first_name_counts() -> None:
    classes = {row["metadata"]["name"]: row for row in (named("b", "x.org/r", 1), named("a", "x.org/r", 1))}
    found = class_of("x.org/r", classes)
    assert found is not None
    assert found["metadata"]["name"] == "a"


def test_every_class_has_a_resource_by_its_name() -> None:
    classes = {"e": named("e", "x.org/r", 1)}
    assert class_of("deviceclass.resource.kubernetes.io/e", classes) is classes["e"]
    assert class_of("deviceclass.resource.kubernetes.io/other", classes) is None
