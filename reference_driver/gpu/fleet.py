"""Devices that need more of DRA than whole GPUs do: partitions, shares, GPUs on a fabric, network interfaces.

Every device has the same attributes, so that a selector which reads one fails on none.
"""

from collections.abc import Sequence
from dataclasses import replace

from fakegpu import Gpu
from reference_driver.plugin import Device, Pool

from . import metadata, offers

PARTITIONS = 4
SHARED_MEMORY, SHARE = "8Gi", "1Gi"


def whole(gpus: Sequence[Gpu]) -> Pool:
    """GPUs for one claim each."""
    return Pool([_device("gpu", gpu) for gpu in gpus])


def partitioned(gpus: Sequence[Gpu]) -> Pool:
    """GPUs that are given out whole or in parts: both use counters that the GPU has."""
    counters = [offers.counters(gpu.name, gpu.memory, PARTITIONS) for gpu in gpus]
    return Pool([device for gpu in gpus for device in _with_parts(gpu)], counters)


def shared(gpus: Sequence[Gpu]) -> Pool:
    """GPUs that several claims use at once, each so much of the memory."""
    return Pool([offers.shared(_device("shared", gpu), SHARED_MEMORY, SHARE) for gpu in gpus])


def on_fabric(gpus: Sequence[Gpu]) -> Pool:
    """GPUs that are attached to the node once they are allocated, before the pod is bound."""
    return Pool([offers.attached_later(_device("fabric", gpu)) for gpu in gpus])


def interfaces(count: int) -> Pool:
    """Network interfaces."""
    names = [f"nic-{number}" for number in range(count)]
    rows: list[dict[str, int | bool | str]] = [
        {"type": "nic", "index": 1000 + number, "uuid": name, "parent": name} for number, name in enumerate(names)
    ]
    return Pool([Device(name, row) for name, row in zip(names, rows, strict=True)])


def _device(kind: str, gpu: Gpu) -> Device:
    uuid = metadata.text(gpu.uuid)
    return Device(
        gpu.name, {"type": kind, "index": gpu.index, "uuid": uuid, "parent": gpu.name}, {"memory": gpu.memory}
    )


def _with_parts(gpu: Gpu) -> list[Device]:
    """Each with a number of its own, by which a selector tells it from all others."""
    *parts, everything = offers.in_parts(_device("partition", gpu), gpu.memory, PARTITIONS)
    numbers = range(100 * gpu.index, 100 * gpu.index + PARTITIONS)
    own = [replace(part, attributes={**part.attributes, "index": n}) for part, n in zip(parts, numbers, strict=True)]
    return [everything, *own]
