"""Short ways to write the API objects that the tests are about."""

from collections.abc import Mapping, Sequence
from typing import Any

Obj = dict[str, Any]
DRIVER = "gpu.example.com"


def node(name: str = "node-a", **labels: str) -> Obj:
    return {"metadata": {"name": name, "uid": f"uid-{name}", "labels": labels}, "spec": {}}


def device(name: str, **fields: Any) -> Obj:
    return {"name": name, **fields}


def devices(*names: str) -> list[Obj]:
    return [device(name) for name in names]


def pool_slice(
    name: str,
    given: Sequence[Obj] = (),
    *,
    driver: str = DRIVER,
    pool: str = "node-a",
    generation: int = 1,
    count: int = 1,
    **spec: Any,
) -> Obj:
    where = (
        spec
        if spec.keys() & {"nodeName", "allNodes", "nodeSelector", "perDeviceNodeSelection"}
        else {"nodeName": "node-a"}
    )
    content = {} if "sharedCounters" in spec else {"devices": list(given)}
    pool_fields = {"name": pool, "generation": generation, "resourceSliceCount": count}
    return {"metadata": {"name": name}, "spec": {"driver": driver, "pool": pool_fields, **content, **where, **spec}}


def request(name: str = "gpu", *, cls: str = "gpu", **exactly: Any) -> Obj:
    return {"name": name, "exactly": {"deviceClassName": cls, "allocationMode": "ExactCount", **exactly}}


def sub(name: str, *, cls: str = "gpu", **fields: Any) -> Obj:
    return {"name": name, "deviceClassName": cls, "allocationMode": "ExactCount", **fields}


def claim(*requests: Obj, name: str = "c", status: Obj | None = None, **devices_spec: Any) -> Obj:
    metadata = {"name": name, "namespace": "ns", "uid": f"uid-{name}"}
    return {
        "metadata": metadata,
        "spec": {"devices": {"requests": list(requests) or [request()], **devices_spec}},
        "status": status or {},
    }


def device_class(name: str = "gpu", *selectors: str, config: Sequence[Obj] = ()) -> Obj:
    spec: Obj = {"selectors": [cel(text) for text in selectors]}
    if config:
        spec["config"] = list(config)
    return {"metadata": {"name": name}, "spec": spec}


def classes(*given: Obj) -> Mapping[str, Obj]:
    return {item["metadata"]["name"]: item for item in given or (device_class(),)}


def cel(expression: str) -> Obj:
    return {"cel": {"expression": expression}}


def result(device_name: str, *, driver: str = DRIVER, pool: str = "node-a", **fields: Any) -> Obj:
    return {"request": "gpu", "driver": driver, "pool": pool, "device": device_name, **fields}


def allocated_claim(*results: Obj, name: str = "other", **status: Any) -> Obj:
    return claim(name=name, status={"allocation": {"devices": {"results": list(results)}}, **status})


def opaque(driver: str = DRIVER, **parameters: Any) -> Obj:
    return {"opaque": {"driver": driver, "parameters": parameters}}
