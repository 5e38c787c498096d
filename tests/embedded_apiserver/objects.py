"""Small valid objects for tests to change."""

from typing import Any

Object = dict[str, Any]


def a_slice(name: str = "", **spec: Any) -> Object:
    meta = {"name": name} if name else {"generateName": "node-a-"}
    return {
        "metadata": meta,
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "node-a",
            "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "gpu-0"}],
            **spec,
        },
    }


def a_claim(name: str = "claim", **exactly: Any) -> Object:
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", **exactly}}
    return {"metadata": {"name": name}, "spec": {"devices": {"requests": [request]}}}


def a_pod(name: str = "pod", **spec: Any) -> Object:
    return {"metadata": {"name": name}, "spec": {"containers": [{"name": "main", "image": "none"}], **spec}}


def an_allocation(device: str = "gpu-0") -> Object:
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": device}
    return {"devices": {"results": [result]}}
