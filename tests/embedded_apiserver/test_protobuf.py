"""Bodies in Kubernetes' protobuf encoding."""

import pytest

from conformance.cluster.api import ApiError, BadRequest
from conformance.cluster.embedded.apiserver.protobuf import decode_protobuf


def varint(value: int) -> bytes:
    rest = value >> 7
    return bytes([value & 0x7F | (0x80 if rest else 0)]) + (varint(rest) if rest else b"")


def field(number: int, value: int | bytes | str) -> bytes:
    """One field on the wire."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value % (1 << 64))
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def body(api_version: str, kind: str, message: bytes) -> bytes:
    return b"k8s\x00" + field(1, field(1, api_version) + field(2, kind)) + field(2, message)


def test_delete_options() -> None:
    message = field(1, 0) + field(2, field(1, "the-uid") + field(2, "17"))
    assert decode_protobuf(body("v1", "DeleteOptions", message)) == {
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "gracePeriodSeconds": 0,
        "preconditions": {"uid": "the-uid", "resourceVersion": "17"},
    }


def test_a_slice_with_attributes_capacity_and_taints() -> None:
    attribute = field(1, "count") + field(2, field(2, -3))
    off = field(1, "shared") + field(2, field(3, 0))
    capacity = field(1, "memory") + field(2, field(1, field(1, "80Gi")))
    taint = field(1, "sick") + field(2, "") + field(3, "NoSchedule") + field(4, field(1, 86400))
    device = field(1, "gpu-0") + field(2, attribute) + field(2, off) + field(3, capacity) + field(8, taint)
    spec = field(1, "gpu.example.com") + field(3, "node-a") + field(6, device)
    decoded = decode_protobuf(body("resource.k8s.io/v1", "ResourceSlice", field(1, field(1, "s")) + field(2, spec)))
    assert decoded["metadata"] == {"name": "s"}
    assert decoded["spec"] == {
        "driver": "gpu.example.com",
        "nodeName": "node-a",
        "devices": [
            {
                "name": "gpu-0",
                "attributes": {"count": {"int": -3}, "shared": {"bool": False}},
                "capacity": {"memory": {"value": "80Gi"}},
                "taints": [{"key": "sick", "effect": "NoSchedule", "timeAdded": "1970-01-02T00:00:00Z"}],
            }
        ],
    }


def test_inline_messages_and_free_json() -> None:
    opaque = field(1, "gpu.example.com") + field(2, field(1, b'{"kind":"GpuConfig"}'))
    devices = field(3, field(1, "gpu") + field(2, field(1, opaque)))
    decoded = decode_protobuf(body("resource.k8s.io/v1", "ResourceClaim", field(2, field(1, devices))))
    config = {"requests": ["gpu"], "opaque": {"driver": "gpu.example.com", "parameters": {"kind": "GpuConfig"}}}
    assert decoded["spec"] == {"devices": {"config": [config]}}


@pytest.mark.parametrize("data", [b"", b"{}", b"k8s\x00\xff", b"k8s\x00" + field(2, b"x")[:-1]])
def test_what_is_broken_is_a_bad_request(data: bytes) -> None:
    with pytest.raises(ApiError) as refused:
        decode_protobuf(data)
    assert isinstance(refused.value, BadRequest)


def test_a_kind_without_a_table_is_415() -> None:
    with pytest.raises(ApiError) as refused:
        decode_protobuf(body("apps/v1", "Deployment", b""))
    assert refused.value.status == 415
