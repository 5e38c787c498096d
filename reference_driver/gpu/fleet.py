"""Devices that need more of DRA than whole GPUs do: partitions, shares, GPUs on a fabric, network interfaces.

Every device has the same attributes, so that a selector which reads one fails on none.
"""

from collections.abc import Sequence

from fakegpu import Gpu
from reference_driver.plugin import Device, Pool

PARTITIONS, PARTITION_MEMORY = 4, "20Gi"
ATTACHED, ATTACH_FAILED = "gpu.example.com/attached", "gpu.example.com/attach-failed"
SHARE_POLICY = {"default": "1Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}
SHARED_MEMORY = "8Gi"


def whole(gpus: Sequence[Gpu]) -> Pool:
    """GPUs for one claim each."""
    return Pool([Device(gpu.name, _attributes("gpu", gpu), {"memory": gpu.memory}) for gpu in gpus])


def partitioned(gpus: Sequence[Gpu]) -> Pool:
    """GPUs that are given out whole or in parts: both use counters that the GPU has."""
    counters = [{"name": _counter_set(gpu), "counters": _amounts(gpu.memory, PARTITIONS)} for gpu in gpus]
    return Pool([device for gpu in gpus for device in _with_parts(gpu)], counters)


def shared(gpus: Sequence[Gpu]) -> Pool:
    """GPUs that several claims use at once, each so much of the memory."""
    memory = {"value": SHARED_MEMORY, "requestPolicy": SHARE_POLICY}
    extra = {"allowMultipleAllocations": True, "capacity": {"memory": memory}}
    return Pool([Device(gpu.name, _attributes("shared", gpu), extra=extra) for gpu in gpus])


def on_fabric(gpus: Sequence[Gpu]) -> Pool:
    """GPUs that are attached to the node once they are allocated, before the pod is bound."""
    extra = {"bindsToNode": True, "bindingConditions": [ATTACHED], "bindingFailureConditions": [ATTACH_FAILED]}
    return Pool([Device(gpu.name, _attributes("fabric", gpu), {"memory": gpu.memory}, extra) for gpu in gpus])


def interfaces(count: int) -> Pool:
    """Network interfaces."""
    names = [f"nic-{number}" for number in range(count)]
    rows: list[dict[str, int | bool | str]] = [
        {"type": "nic", "index": 1000 + number, "uuid": name, "parent": name} for number, name in enumerate(names)
    ]
    return Pool([Device(name, row) for name, row in zip(names, rows, strict=True)])


def _with_parts(gpu: Gpu) -> list[Device]:
    everything = Device(
        gpu.name, _attributes("partition", gpu), {"memory": gpu.memory}, _uses(gpu, gpu.memory, PARTITIONS)
    )
    return [everything, *(_part(gpu, number) for number in range(PARTITIONS))]


def _part(gpu: Gpu, number: int) -> Device:
    own: dict[str, int | bool | str] = {"index": 100 * gpu.index + number, "uuid": f"{gpu.uuid}-part-{number}"}
    capacity = {"memory": PARTITION_MEMORY}
    return Device(
        f"{gpu.name}-part-{number}", _attributes("partition", gpu) | own, capacity, _uses(gpu, PARTITION_MEMORY, 1)
    )


def _attributes(kind: str, gpu: Gpu) -> dict[str, int | bool | str]:
    return {"type": kind, "index": gpu.index, "uuid": gpu.uuid, "parent": gpu.name}


def _uses(gpu: Gpu, memory: str, engines: int) -> dict[str, object]:
    return {"consumesCounters": [{"counterSet": _counter_set(gpu), "counters": _amounts(memory, engines)}]}


def _counter_set(gpu: Gpu) -> str:
    return f"{gpu.name}-counters"


def _amounts(memory: str, engines: int) -> dict[str, dict[str, str]]:
    return {"memory": {"value": memory}, "engines": {"value": str(engines)}}
