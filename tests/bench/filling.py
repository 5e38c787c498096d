"""A big cluster: 100 nodes with devices of their own, and as many devices that every node can use."""

import os
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from conformance.cluster.api import Api

Obj = dict[str, Any]
LOCAL, REMOTE = "local.bench.example.com", "remote.bench.example.com"
NODES, SLICES_OF_NODE, SHARED_SLICES, DEVICES_OF_SLICE = 100, 40, 1000, 8
SLICES = NODES * SLICES_OF_NODE + SHARED_SLICES
DEVICES = SLICES * DEVICES_OF_SLICE


def _nodes() -> Iterator[Obj]:
    has = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    for number in range(NODES):
        name = f"bench-{number:03}"
        metadata = {"name": name, "labels": {"kubernetes.io/hostname": name}}
        yield {"metadata": metadata, "status": {"allocatable": has, "capacity": has}}


def _slices() -> Iterator[Obj]:
    for node in range(NODES):
        for number in range(SLICES_OF_NODE):
            pool = {"name": f"bench-{node:03}", "generation": 1, "resourceSliceCount": SLICES_OF_NODE}
            yield _slice(f"local-{node:03}-{number:03}", LOCAL, pool, nodeName=f"bench-{node:03}")
    for number in range(SHARED_SLICES):
        pool = {"name": "fabric", "generation": 1, "resourceSliceCount": SHARED_SLICES}
        yield _slice(f"remote-{number:04}", REMOTE, pool, allNodes=True)


def _slice(name: str, driver: str, pool: Obj, **where: Any) -> Obj:
    devices = [_device(f"{name}-{number}") for number in range(DEVICES_OF_SLICE)]
    return {"metadata": {"name": name}, "spec": {"driver": driver, "pool": pool, "devices": devices, **where}}


def _device(name: str) -> Obj:
    attributes = {
        "uuid": {"string": name},
        "model": {"string": "A100"},
        "numa": {"int": 0},
        "firmware": {"version": "1.2.3"},
    }
    return {"name": name, "attributes": attributes, "capacity": {"memory": {"value": "80Gi"}}}


def _classes() -> Iterator[Obj]:
    for driver in (LOCAL, REMOTE):
        selector = {"cel": {"expression": f'device.driver == "{driver}"'}}
        yield {"metadata": {"name": driver.partition(".")[0]}, "spec": {"selectors": [selector]}}


def fill(api: Api) -> None:
    """Create it all."""
    with ThreadPoolExecutor(4) as pool:
        for kind, objects in (("nodes", _nodes()), ("deviceclasses", _classes()), ("resourceslices", _slices())):
            for _ in pool.map(lambda obj, kind=kind: api.create(kind, obj), objects):
                pass


def memory() -> int:
    """Bytes of memory that this process has now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def most_memory() -> int:
    """Bytes of memory that this process had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
