"""Optional features of the GPU driver, each switched by an argument; docs/reference-driver.md describes them."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fakegpu import Gpu
from reference_driver.plugin import Device

from . import offers

MOST_PARTS = 63
"""Parts of a GPU: with the whole, as many devices as a slice may have that draw on counters."""
MOST_SHARES = 100
"""As many hundredths a GPU's computing power has."""


@dataclass(frozen=True)
class Features:
    """How GPUs are given out. `partitions`, `shares`: how many of a GPU there are, 0 for none."""

    partitions: int = 0
    shares: int = 0
    binding_conditions: bool = False
    admin_access: bool = True

    def devices(self, gpu: Gpu, whole: Device) -> list[Device]:
        """What is published of a GPU, of which `whole` is the ordinary device. Raises PluginError when that is not."""
        made = [whole]
        if self.partitions:
            parented = {**whole.attributes, "parent": whole.name}
            whole = Device(whole.name, parented, whole.capacity, whole.extra)
            *parts, everything = offers.in_parts(whole, gpu.memory, self.partitions)
            made = [_told(part, partition=number) for number, part in enumerate(parts)]
            made.append(_told(everything, full=True))
        if self.shares:
            made = [self._shared(device) for device in made]
        return list(map(offers.attached_later, made)) if self.binding_conditions else made

    def _shared(self, device: Device) -> Device:
        memory = device.capacity["memory"]
        return offers.shared(device, memory, offers.default_share(memory, self.shares), self.shares)

    def names(self, gpu: Gpu) -> list[str]:
        """Names of these devices."""
        return [gpu.name, *(offers.part_name(gpu.name, number) for number in range(self.partitions))]


def _told(device: Device, **more: int | bool) -> Device:
    """The same device, which says that its GPU is given out in parts, and which it is."""
    return replace(device, attributes={**device.attributes, "partitionable": True, **more})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that switch features of the GPU driver."""
    parser.add_argument("--partitions", type=_count(2, MOST_PARTS), metavar="N", help="give out GPUs in N parts, too")
    parser.add_argument("--shares", type=_count(2, MOST_SHARES), metavar="N", help="N claims have a device at once")
    parser.add_argument(
        "--binding-conditions", action="store_true", help="attach GPUs once they are allocated, as from a fabric"
    )
    parser.add_argument(
        "--admin-access",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="let administrators look at GPUs of others",
    )


def from_arguments(parsed: argparse.Namespace) -> Features:
    """The features that were asked for."""
    return Features(parsed.partitions or 0, parsed.shares or 0, parsed.binding_conditions, parsed.admin_access)


def switched(features: Features) -> Sequence[str]:
    """The arguments that change how GPUs are given out, of those that were given."""
    given = {
        "--partitions": features.partitions,
        "--shares": features.shares,
        "--binding-conditions": features.binding_conditions,
    }
    return [name for name, value in given.items() if value]


def _count(least: int, most: int) -> Callable[[str], int]:
    """A type of argument: a whole number from `least` to `most`."""

    def count(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from {least} to {most}")
        return int(text)

    return count
