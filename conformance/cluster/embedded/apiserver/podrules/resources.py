"""Resources that containers, and pods as a whole, request."""

from collections.abc import Callable, Mapping

from conformance.cluster.embedded.apiserver import formats
from conformance.cluster.embedded.apiserver.field_errors import (
    forbidden,
    invalid,
    not_supported,
    required,
)
from conformance.cluster.embedded.apiserver.podrules.words import NOT_NEGATIVE, Errors, Row
from conformance.cluster.embedded.apiserver.quantities import QuantityError, canonical, is_whole, value_of

_PAGES = "hugepages-"
_CONTAINER = ("cpu", "memory", "ephemeral-storage")
_INTEGERS = (
    *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"),
    *("persistentvolumeclaims", "services.nodeports", "services.loadbalancers"),
)
_STANDARD = {
    *(*_CONTAINER, *_INTEGERS, "storage", "requests.storage"),
    *(f"{kind}.{name}" for kind in ("requests", "limits") for name in _CONTAINER),
}
_SHOWN_FOR_PODS = ("cpu", "hugepages-", "memory")

Names = Callable[[str, str], Errors]


def of_container(resources: Row, field: str) -> Errors:
    """limits and requests of a container."""
    return _requirements(resources, field, _container_name)


def of_pod(resources: Row, containers: list[Row], field: str) -> Errors:
    """limits and requests of the pod as a whole."""
    if resources.get("claims"):
        yield forbidden(f"{field}.claims", "claims may not be set for Resources at pod-level")
    yield from _requirements(resources, field, _pod_name)
    total: dict[str, str] = {}
    for container in containers:
        for name, amount in (container.get("resources", {}).get("requests") or {}).items():
            total[name] = str(value_of(total.get(name, "0")) + value_of(str(amount)))
    for name, amount in (resources.get("requests") or {}).items():
        if name in total and value_of(total[name]) > value_of(str(amount)):
            why = f"must be greater than or equal to aggregate container requests of {total[name]}"
            yield invalid(f"{field}.requests[{name}]", canonical(str(amount)), why)
    limits = resources.get("limits") or {}
    for index, container in enumerate(containers):
        for name, amount in (container.get("resources", {}).get("limits") or {}).items():
            if name in limits and value_of(str(amount)) > value_of(str(limits[name])):
                why = f"must be less than or equal to pod limits of {canonical(str(limits[name]))}"
                yield invalid(f"{field}.containers[{index}][{name}].limits", canonical(str(amount)), why)


def _requirements(resources: Row, field: str, names: Names) -> Errors:
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name, amount in limits.items():
        place = f"{field}.limits[{name}]"
        yield from names(name, place)
        yield from _amount(name, str(amount), place)
    for name, amount in requests.items():
        place = f"{field}.requests[{name}]"
        yield from names(name, place)
        yield from _amount(name, str(amount), place)
        yield from _against(name, str(amount), limits, field)
    both = {**limits, **requests}
    if any(name.startswith(_PAGES) for name in both) and not {"cpu", "memory"} & set(both):
        yield forbidden(field, "HugePages require cpu or memory")


def _against(name: str, amount: str, limits: Mapping[str, str], field: str) -> Errors:
    """A request against the limit of the same resource."""
    overcommitted = _native(name) and not name.startswith(_PAGES)
    if name not in limits:
        if not overcommitted:
            yield required(f"{field}.limits", "Limit must be set for non overcommitable resources")
        return
    limit = str(limits[name])
    if value_of(amount) != value_of(limit) and not overcommitted:
        yield invalid(f"{field}.requests", canonical(amount), f"must be equal to {name} limit of {canonical(limit)}")
    elif value_of(amount) > value_of(limit):
        why = f"must be less than or equal to {name} limit of {canonical(limit)}"
        yield invalid(f"{field}.requests", canonical(amount), why)


def amounts(rows: Mapping[str, str], field: str) -> Errors:
    """Amounts of resources that a node has."""
    for name, amount in rows.items():
        yield from _quantity(name, amount, f"{field}.{name}")


def _amount(name: str, amount: str, place: str) -> Errors:
    yield from _quantity(name, amount, place)
    if name.startswith(_PAGES) and not _divisible(name, amount):
        yield invalid(place, canonical(amount), f"{canonical(amount)} is not positive integer multiple of {name}")


def _quantity(name: str, amount: str, place: str) -> Errors:
    """None is negative, and some come in whole numbers only."""
    if value_of(amount) < 0:
        yield invalid(place, canonical(amount), NOT_NEGATIVE)
    if (name in _INTEGERS or _extended(name)) and not is_whole(amount):
        yield invalid(place, canonical(amount), "must be an integer")


def _divisible(name: str, amount: str) -> bool:
    try:
        page = value_of(name.removeprefix(_PAGES))
    except QuantityError:
        return False
    return page > 0 and page == page.to_integral_value() and not value_of(amount) % page


def _native(name: str) -> bool:
    return "/" not in name or "kubernetes.io/" in name


def _extended(name: str) -> bool:
    return not _native(name) and not name.startswith("requests.") and not any(formats.label_key(f"requests.{name}"))


def _name(name: str, field: str) -> Errors:
    faults = list(formats.label_key(name))
    yield from formats.each(iter(faults), field, name)
    if not faults and "/" not in name and name not in _STANDARD and not name.startswith((_PAGES, f"requests.{_PAGES}")):
        yield invalid(field, name, "must be a standard resource type or fully qualified")


def _container_name(name: str, field: str) -> Errors:
    yield from _name(name, field)
    if "/" not in name:
        if name not in _CONTAINER and not name.startswith(_PAGES):
            yield invalid(field, name, "must be a standard resource for containers")
    elif not _native(name) and not _extended(name):
        yield invalid(field, name, "doesn't follow extended resource name standard")


def _pod_name(name: str, field: str) -> Errors:
    errors = list(_name(name, field))
    yield from errors
    if not errors and name not in ("cpu", "memory") and not name.startswith(_PAGES):
        yield not_supported(field, name, _SHOWN_FOR_PODS)
