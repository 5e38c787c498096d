"""Features that can be read off slices, GetInfo and classes."""

from typing import Any

import pytest

from conformance.target import features_in_claims, features_seen, notes


def slice_with(device: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"spec": {"nodeName": "node-a", "devices": [{"name": "plain"}, {"name": "d", **device}], **spec}}


@pytest.mark.parametrize(
    ("item", "seen"),
    [
        (slice_with({}), set()),
        (slice_with({}, sharedCounters=[{"name": "c"}], devices=None), {"partitionable"}),
        (slice_with({"consumesCounters": [{"counterSet": "c"}]}), {"partitionable"}),
        (slice_with({"allowMultipleAllocations": True}), {"consumable-capacity"}),
        (slice_with({"taints": [{"key": "sick"}]}), {"taints"}),
        (slice_with({"bindingConditions": ["ready"], "bindingFailureConditions": ["bad"]}), {"binding-conditions"}),
        (slice_with({}, nodeName=None, allNodes=True), {"network"}),
        (slice_with({}, nodeName=None, perDeviceNodeSelection=True), set()),
    ],
)
def test_slices_show_features(item: dict[str, Any], seen: set[str]) -> None:
    assert features_seen([item], ["v1.DRAPlugin", "v1beta1.DRAPlugin"]) == seen


def test_a_health_service_that_is_registered_shows_health() -> None:
    assert features_seen([], ["v1.DRAPlugin", "v1.DRAResourceHealth"]) == {"health"}
    assert features_seen([], ["v1beta1.DRAPlugin", "v1alpha1.DRAResourceHealth"]) == {"health"}


def test_a_class_shows_extended_resources() -> None:
    assert features_seen([], [], [{"spec": {"extendedResourceName": "example.com/gpu"}}]) == {"extended-resource"}


def test_claims_and_sights_that_differ_are_noted() -> None:
    assert notes(claimed=["health", "rolling-update", "taints"], seen=["partitionable"]) == [
        "health is claimed by the driver file, but nothing that the driver publishes shows it",
        "partitionable is seen, but the driver file does not claim it",
    ]
    assert notes(claimed=["health"], seen=["health"]) == []


def test_a_status_that_the_driver_wrote_shows_device_status() -> None:
    claims = [{}, {"status": {"devices": [{"driver": "other.example.com"}]}}]
    assert features_in_claims(claims, "gpu.example.com") == frozenset()
    claims.append({"status": {"devices": [{"driver": "gpu.example.com"}]}})
    assert features_in_claims(claims, "gpu.example.com") == {"device-status"}
