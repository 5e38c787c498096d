"""A device as the variables of a CEL expression."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.cluster.embedded.scheduler import quantity, semver
from conformance.cluster.embedded.scheduler.celtypes import quantity_message, semver_message

Domains = dict[str, dict[str, Any]]


class CelError(ValueError):
    """An expression that does not compile, or that cannot be evaluated for a device; the text is Kubernetes'."""


@dataclass(frozen=True)
class DeviceView:
    """What an expression can see of a device: attributes and capacity by domain and identifier."""

    driver: str
    attributes: Domains = field(default_factory=dict)
    capacity: Domains = field(default_factory=dict)
    allow_multiple_allocations: bool = False

    @classmethod
    def of(cls, driver: str, device: Mapping[str, Any]) -> "DeviceView":
        """The view of a device of a ResourceSlice. Raises CelError for a value that cannot be read."""
        attributes: Domains = {}
        for name, value in (device.get("attributes") or {}).items():
            try:
                _put(attributes, driver, name, _attribute(value))
            except ValueError as error:
                raise CelError(f"CEL runtime error: attribute {name}: {error}") from None
        capacity: Domains = {}
        for name, value in (device.get("capacity") or {}).items():
            try:
                _put(capacity, driver, name, quantity_message(quantity.parse(str(value["value"]))))
            except ValueError as error:
                raise CelError(f"CEL runtime error: capacity {name}: {error}") from None
        return cls(driver, attributes, capacity, bool(device.get("allowMultipleAllocations")))

    def variables(self, more_domains: Mapping[str, Any]) -> dict[str, Any]:
        """Values of the variables; a domain that nothing is in can be had as an empty map."""
        return {
            "device.driver": self.driver,
            "device.attributes": {**more_domains, **self.attributes},
            "device.capacity": {**more_domains, **self.capacity},
            "device.allowMultipleAllocations": self.allow_multiple_allocations,
        }


def _put(domains: Domains, driver: str, name: str, value: Any) -> None:
    # A name without a domain is in the domain of the driver.
    domain, slash, identifier = name.partition("/")
    if not slash:
        domain, identifier = driver, name
    domains.setdefault(domain, {})[identifier] = value


def _version(text: str) -> Any:
    try:
        return semver_message(semver.parse(text))
    except semver.SemverError as error:
        raise CelError(f"parse semantic version: {error}") from None


def _attribute(value: Mapping[str, Any]) -> Any:
    match value:
        case {"int": int(item)} | {"string": str(item)} | {"bool": bool(item)}:
            return item
        case {"version": str(text)}:
            return _version(text)
        case {"ints": list(items)} | {"strings": list(items)} | {"bools": list(items)}:
            return items
        case {"versions": list(items)}:
            return [_version(text) for text in items]
        case _:
            raise CelError("unsupported attribute value")
