"""A device as the value of the variable `device`."""

from collections.abc import Mapping
from typing import Any

from conformance.cluster.embedded.scheduler import semver
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.quantities import read


class Domains(dict[str, dict[str, Any]]):
    """Attributes or capacities by domain and identifier: any domain can be had, most as an empty map."""

    def __missing__(self, domain: str) -> dict[str, Any]:
        return {}

    def put(self, driver: str, name: str, value: Any) -> None:
        """Add one; a name without a domain is in the domain of the driver."""
        domain, slash, identifier = name.partition("/")
        if not slash:
            domain, identifier = driver, name
        self.setdefault(domain, {})[identifier] = value


def device_value(driver: str, device: Mapping[str, Any]) -> dict[str, Any]:
    """The value of a device of a ResourceSlice. Raises EvaluationError for an attribute that cannot be read."""
    attributes, capacity = Domains(), Domains()
    for name, value in (device.get("attributes") or {}).items():
        try:
            attributes.put(driver, name, _attribute(value))
        except EvaluationError as error:
            raise EvaluationError(f"attribute {name}: {error}") from None
    for name, value in (device.get("capacity") or {}).items():
        capacity.put(driver, name, read(str(value["value"])))
    return {
        "driver": driver,
        "allowMultipleAllocations": bool(device.get("allowMultipleAllocations")),
        "attributes": attributes,
        "capacity": capacity,
    }


def _version(text: str) -> semver.Semver:
    try:
        return semver.parse(text)
    except semver.SemverError as error:
        raise EvaluationError(f"parse semantic version: {error}") from None


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
            raise EvaluationError("unsupported attribute value")
