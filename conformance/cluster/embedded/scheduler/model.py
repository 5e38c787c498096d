"""The words of the allocator: devices, requests, what is allocated already, and why something cannot be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from conformance.cluster.embedded.scheduler import quantity
from conformance.cluster.embedded.scheduler.cel import DeviceView

Json = Mapping[str, Any]
MAX_RESULTS = 32


class AllocationError(Exception):
    """Something is wrong with a claim, a class or a pool: the attempt ends for all nodes. The text is Kubernetes'."""


class UnsuitableNode(Exception):
    """This node cannot be used, others may be. The text is Kubernetes'."""


class PoolId(NamedTuple):
    """A pool is known by its driver and its name."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


class DeviceId(NamedTuple):
    """A device is known by driver, pool and name."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


@dataclass(eq=False)
class Candidate:
    """A device of a slice that a request may get."""

    id: DeviceId
    device: Json
    slice: Json

    @cached_property
    def view(self) -> DeviceView:
        """What CEL sees of it. Raises CelError."""
        return DeviceView.of(self.id.driver, self.device)

    @property
    def shared(self) -> bool:
        """Whether several claims may have it at the same time."""
        return bool(self.device.get("allowMultipleAllocations"))

    @property
    def target(self) -> Json:
        """Where its node selection is: in the device or in the slice."""
        return self.device if self.slice["spec"].get("perDeviceNodeSelection") else self.slice["spec"]


@dataclass(eq=False)
class Request:
    """A request, or one alternative of a request (`parent` is then the request's name)."""

    name: str
    parent: str
    spec: Json
    device_class: Json
    count: int = 0
    all_devices: list[Candidate] = field(default_factory=list)

    @property
    def full_name(self) -> str:
        """The name in results: `request` or `request/alternative`."""
        return f"{self.parent}/{self.name}" if self.parent else self.name

    @property
    def wants_all(self) -> bool:
        """Whether allocationMode is All."""
        return bool(self.spec.get("allocationMode") == "All")

    @property
    def admin(self) -> bool:
        """Whether it asks for admin access, which alternatives cannot."""
        return not self.parent and bool(self.spec.get("adminAccess"))

    def named_in(self, names: Iterable[str]) -> bool:
        """Whether a list of request names, as constraints and configs have, means this request."""
        return self.full_name in names or (self.parent or self.name) in names


@dataclass
class Allocated:
    """What claims hold already: whole devices, and shares with their summed capacity. Admin access holds nothing."""

    devices: set[DeviceId] = field(default_factory=set)
    shares: dict[DeviceId, dict[str, Decimal]] = field(default_factory=dict)

    @classmethod
    def of(cls, claims: Iterable[Json]) -> "Allocated":
        """What these claims hold."""
        allocated = cls()
        for claim in claims:
            for result in results_of(claim):
                allocated.add(result)
        return allocated

    def add(self, result: Json) -> None:
        """Count one result of an allocation."""
        device = DeviceId(result["driver"], result["pool"], result["device"])
        if result.get("adminAccess"):
            return
        if not result.get("shareID"):
            self.devices.add(device)
            return
        used = self.shares.setdefault(device, {})
        for name, value in (result.get("consumedCapacity") or {}).items():
            used[name] = used.get(name, Decimal(0)) + quantity.parse(str(value))

    def holds(self, device: DeviceId) -> bool:
        """Whether any claim has the device or a share of it."""
        return device in self.devices or device in self.shares


def results_of(claim: Json) -> Iterator[Json]:
    """The results of a claim's allocation, if it has one."""
    allocation = (claim.get("status") or {}).get("allocation") or {}
    yield from (allocation.get("devices") or {}).get("results") or ()


def describe(claim: Json) -> str:
    """namespace/name."""
    return f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
