"""The words of the allocator: devices, requests, what is allocated already, and why something cannot be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from conformance.cluster.embedded.scheduler import cel, quantity
from conformance.cluster.embedded.scheduler.cel import DeviceView, Selector

Json = Mapping[str, Any]
MAX_RESULTS = 32
_REMEMBERED = 32


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
    _matches: dict[str, bool] = field(default_factory=dict, repr=False)

    def matches(self, selector: Selector) -> bool:
        """Whether a selector selects it; the latest answers are remembered. Raises CelError."""
        if _about_driver(selector.expression):
            return _selects_driver(selector.expression, self.id.driver)
        known = self._matches.get(selector.expression)
        if known is None:
            if len(self._matches) >= _REMEMBERED:
                self._matches.clear()
            known = self._matches[selector.expression] = selector.matches(self.view)
        return known

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


@lru_cache(maxsize=1024)
def _about_driver(expression: str) -> bool:
    """Whether an expression is about nothing that devices of one driver may have and others not."""
    return not any(word in expression for word in ("attributes", "capacity", "allowMultipleAllocations"))


@lru_cache(maxsize=4096)
def _selects_driver(expression: str, driver: str) -> bool:
    return cel.compile(expression).matches(DeviceView.of(driver, {}))


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

    @cached_property
    def selectors(self) -> tuple[str, ...]:
        """All expressions, those of the class first: requests with the same ones are for the same devices."""
        both = [*(self.device_class["spec"].get("selectors") or ()), *(self.spec.get("selectors") or ())]
        return tuple(selector["cel"]["expression"] for selector in both)

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
