"""Ways of giving out a GPU other than whole, to one claim, at once: in parts, in shares, or once it is attached."""

from collections.abc import Mapping
from dataclasses import replace

from reference_driver.plugin import Device, PluginError
from reference_driver.plugin.quantity import amount

from . import metadata

ATTACHED, ATTACH_FAILED = "gpu.example.com/attached", "gpu.example.com/attach-failed"
"""Conditions of a device that is attached to its node after it was allocated, before the pod is bound."""
STEP = "1Gi"
"""Shares of a GPU's memory are whole numbers of this, and at least one."""
_MEBI, _GIBI = 20, 30  # powers of two


def part_name(gpu: str, number: int) -> str:
    """The device name of a part of a GPU."""
    return f"{gpu}-partition-{number}"


def gpu_name(device: str) -> str:
    """The GPU that a device is, or is a part of."""
    return device.partition("-partition-")[0]


def fraction(memory: str, count: int) -> str:
    """One of `count` equal parts of a quantity of memory, in whole MiB. Raises PluginError where that is nothing."""
    mebibytes = int(amount(memory) / count) >> _MEBI
    if not mebibytes:
        raise PluginError(f"a GPU with {memory} of memory cannot be cut into {count} parts")
    return f"{mebibytes}Mi" if mebibytes % 1024 else f"{mebibytes // 1024}Gi"


def counters(gpu: str, memory: str, count: int) -> Mapping[str, object]:
    """The counter set of a GPU that is given out whole or in `count` parts: what it has of memory and engines."""
    return {"name": _counter_set(gpu), "counters": _amounts(memory, count)}


def in_parts(whole: Device, memory: str, count: int) -> list[Device]:
    """The equal parts of a GPU, and then itself: a claim for any device shall get a part as long as there is one.

    All of them draw on its counters, so that a part excludes the whole and no other part. Parts have the attributes of
    the whole, but for their type and their UUID.
    """
    size = fraction(memory, count)
    everything = replace(whole, extra={**whole.extra, **_uses(whole.name, memory, count)})
    uuid = str(whole.attributes["uuid"])
    parts = []
    for number in range(count):
        own = {"type": "partition", "uuid": metadata.text(uuid, f"-partition-{number}")}
        extra = {**whole.extra, **_uses(whole.name, size, 1)}
        capacity = {"memory": size, **_computing(whole, count)}
        parts.append(Device(part_name(whole.name, number), {**whole.attributes, **own}, capacity, extra))
    return [*parts, everything]


def shared(device: Device, memory: str, share: str, count: int = 1) -> Device:
    """A device that several claims have at once, each so much of its memory as it asks for, or `share`.

    Of computing power, where it has that, a claim has what it asks for, or one of `count` parts.
    """
    policies = {"memory": _policy(share, STEP)}
    policies |= {name: _policy(part, "1") for name, part in _computing(device, count).items()}
    values = {**device.capacity, "memory": memory}
    capacity = {name: {"value": values[name], "requestPolicy": policy} for name, policy in policies.items()}
    return replace(device, capacity={}, extra={**device.extra, "allowMultipleAllocations": True, "capacity": capacity})


def default_share(memory: str, count: int) -> str:
    """The share of a claim that names none, so that `count` of them fit. Raises PluginError where that is nothing."""
    gibibytes = int(amount(memory) / count) >> _GIBI
    if not gibibytes:
        raise PluginError(f"a GPU with {memory} of memory has no {count} shares of {STEP}")
    return f"{gibibytes}Gi"


def attached_later(device: Device) -> Device:
    """A GPU on a fabric: it is attached to the node between its allocation and the binding of the pod."""
    conditions = {"bindingConditions": [ATTACHED], "bindingFailureConditions": [ATTACH_FAILED]}
    return replace(device, extra={**device.extra, "bindsToNode": True, **conditions})


def _policy(default: str, step: str) -> dict[str, object]:
    return {"default": default, "validRange": {"min": step, "step": step}}


def _computing(device: Device, count: int) -> dict[str, str]:
    """One of `count` parts of its computing power, as capacity; nothing for a device that tells none.

    Raises PluginError where that is less than a hundredth of a GPU.
    """
    parts = {name: int(value) // count for name, value in device.capacity.items() if name == "compute"}
    if 0 in parts.values():
        of = device.capacity["compute"]
        raise PluginError(f"{of} hundredths of a GPU's computing power cannot be cut into {count} parts")
    return {name: str(part) for name, part in parts.items()}


def _counter_set(gpu: str) -> str:
    return f"{gpu}-counters"


def _uses(gpu: str, memory: str, engines: int) -> dict[str, object]:
    return {"consumesCounters": [{"counterSet": _counter_set(gpu), "counters": _amounts(memory, engines)}]}


def _amounts(memory: str, engines: int) -> dict[str, dict[str, str]]:
    return {"memory": {"value": memory}, "engines": {"value": str(engines)}}
