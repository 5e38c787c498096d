"""What checks of optional features find wrong with what a driver wrote."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.checks.metadata.files import faults_of as file_faults
from conformance.checks.metadata.files import paths_of
from conformance.checks.status.entries import faults_of as entry_faults
from conformance.checks.taints.test_sick_device import is_of
from conformance.cluster import Allocated

DEVICES = [Allocated("gpus/big", "gpu.example.com", "node-a", "gpu-0")]
CLAIM: Any = SimpleNamespace(uid="u-1", name="one", namespace="ns")
ENTRY = {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}


def file(**changes: Any) -> dict[str, Any]:
    """A file as Kubernetes' own helper writes it."""
    return {
        "kind": "DeviceMetadata",
        "apiVersion": "metadata.resource.k8s.io/v1beta1",
        "metadata": {"name": "one", "namespace": "ns", "uid": "u-1", "generation": 1},
        "requests": [
            {"name": "gpus/big", "devices": [{"driver": "gpu.example.com", "pool": "node-a", "name": "gpu-0"}]}
        ],
        **changes,
    }


def test_containers_find_a_file_for_each_request() -> None:
    folder = "/var/run/kubernetes.io/dra-device-attributes/resourceclaimtemplates/devices"
    assert paths_of("devices", DEVICES) == {"gpus": f"{folder}/gpus/gpu.example.com-metadata.json"}


@pytest.mark.parametrize(
    ("objects", "faults"),
    [
        ([file()], []),
        ([file(apiVersion="metadata.resource.k8s.io/v1"), file()], []),
        ([file(apiVersion="metadata.resource.k8s.io/v1alpha1")], ["no object has apiVersion"]),
        ([file(metadata={"name": "one", "namespace": "ns", "uid": "u-0"})], ["metadata.uid is u-0, not u-1"]),
        ([file(requests=[])], ["devices is set()"]),
    ],
)
def test_a_file_says_what_the_claim_has(objects: list[Any], faults: list[str]) -> None:
    text = "\n".join(map(json.dumps, objects))
    found = file_faults(text, CLAIM, "gpus", DEVICES)
    assert len(found) == len(faults)
    assert all(fault in text for fault, text in zip(faults, found, strict=True))


def test_a_file_that_is_cut_off() -> None:
    assert file_faults('{"kind": ', CLAIM, "gpus", DEVICES)[0].startswith("the file is not JSON")


@pytest.mark.parametrize(
    ("entry", "faults"),
    [
        (ENTRY | {"conditions": [{}] * 8, "data": {"a": 1}, "networkData": {"ips": ["10.0.0.1/24", "fe80::1/64"]}}, []),
        (ENTRY | {"device": "gpu-1"}, ["gpu.example.com/node-a/gpu-1 is not allocated to the claim"]),
        (ENTRY | {"conditions": [{}] * 9}, ["more than 8 conditions"]),
        (ENTRY | {"data": {"a": "x" * 10_240}}, ["10248 bytes of data"]),
        (ENTRY | {"networkData": {"ips": ["10.0.0.1"]}}, ["address 10.0.0.1 is not in CIDR notation"]),
    ],
)
def test_what_is_said_of_devices_in_a_claim(entry: dict[str, Any], faults: list[str]) -> None:
    assert entry_faults(entry, {("gpu.example.com", "node-a", "gpu-0")}) == faults


@pytest.mark.parametrize(
    ("key", "own"),
    [
        ("gpu.example.com/sick", True),
        ("example.com/sick", True),
        ("health.GPU.example.com/sick", True),
        ("sick", False),
        ("com/sick", False),
        ("kubernetes.io/sick", False),
        ("notgpu.example.com/sick", False),
    ],
)
def test_taints_have_a_domain_of_the_driver(key: str, own: bool) -> None:
    assert is_of(key, "gpu.example.com") == own
