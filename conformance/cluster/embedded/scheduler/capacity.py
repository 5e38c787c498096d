"""Consumable capacity: what a share of a device takes of each of its capacities.

Source: dynamic-resource-allocation/structured/internal/incubating/consumable_capacity.go.
"""

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal

from conformance.cluster.embedded.scheduler import quantity
from conformance.cluster.embedded.scheduler.model import AllocationError, Candidate, Json, Request

_MAX = 2**63 - 1
Amounts = Mapping[str, Decimal]


def consumption(request: Request, candidate: Candidate) -> dict[str, str] | None:
    """What the request would take of each capacity, as quantities; None when the device lacks one that is asked for.

    Raises AllocationError for an amount that cannot be rounded to the device's steps.
    """
    capacities: Mapping[str, Json] = candidate.device.get("capacity") or {}
    requested: Mapping[str, str] = (request.spec.get("capacity") or {}).get("requests") or {}
    if not requested.keys() <= capacities.keys():
        return None
    taken = {}
    for name, capacity in capacities.items():
        taken[name] = _consumed(requested.get(name), capacity, name)
        if quantity.parse(taken[name]) < 0:
            raise AllocationError(f'capacity "{name}": capacity value is negative')
    return taken


def fits(candidate: Candidate, taken: Mapping[str, str], used: Amounts, pending: Amounts) -> bool:
    """Whether the amounts keep to the policies, and with `used` and `pending` to the values, of the device."""
    for name, capacity in (candidate.device.get("capacity") or {}).items():
        amount = quantity.parse(taken[name])
        if not _allowed(amount, capacity.get("requestPolicy") or {}):
            return False
        total = amount + used.get(name, Decimal(0)) + pending.get(name, Decimal(0))
        if total > quantity.parse(str(capacity["value"])):
            return False
    return True


def _consumed(requested: str | None, capacity: Json, name: str) -> str:
    policy = capacity.get("requestPolicy") or {}
    if requested is None:
        return str(policy.get("default") or capacity["value"])
    requested = str(requested)
    if (policy.get("validRange") or {}).get("min") is not None:
        return _up_to_step(requested, policy["validRange"], name)
    wanted = quantity.parse(requested)
    return next((str(v) for v in policy.get("validValues") or () if quantity.parse(str(v)) >= wanted), requested)


def _up_to_step(requested: str, valid: Json, name: str) -> str:
    wanted, low = quantity.parse(requested), quantity.parse(str(valid["min"]))
    if wanted < low:
        return str(valid["min"])
    if valid.get("step") is None:
        return requested
    if wanted > _MAX:
        raise _not_representable(name, f"request {requested} exceeds MaxInt64")
    step, first = _whole(valid["step"]), _whole(valid["min"])
    result = first - (first - _whole(requested)) // step * step
    if result > _MAX:
        raise _not_representable(name, f"rounding request {requested} up to the next step passes MaxInt64")
    return quantity.render(Decimal(result), like=str(valid["step"]))


def _whole(value: object) -> int:
    """A quantity as Kubernetes counts steps, in whole numbers: a part of one is one.

    Parts count as what they are only with DRAFractionalCapacityRange, which is off while a control plane may have to
    go back to the minor version before.
    """
    return int(quantity.parse(str(value)).to_integral_value(ROUND_CEILING))


def _not_representable(name: str, why: str) -> AllocationError:
    what = "capacity request cannot be represented in the device's range arithmetic"
    return AllocationError(f'capacity "{name}": {what}: {why}')


def _allowed(amount: Decimal, policy: Json) -> bool:
    if policy.get("default") is not None and amount == quantity.parse(str(policy["default"])):
        return True
    valid = policy.get("validRange")
    if valid:
        return _in_range(amount, valid)
    values = policy.get("validValues")
    return not values or any(amount == quantity.parse(str(value)) for value in values)


def _in_range(amount: Decimal, valid: Json) -> bool:
    if valid.get("max") is not None and amount > quantity.parse(str(valid["max"])):
        return False
    if valid.get("step") is None:
        return True
    return (int(amount.to_integral_value(ROUND_CEILING)) - _whole(valid["min"])) % _whole(valid["step"]) == 0
