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
    step = quantity.parse(str(valid["step"]))
    steps = ((wanted - low) / step).to_integral_value(ROUND_CEILING)
    result = low + steps * step
    if not (_representable(wanted) and _representable(result)):
        raise AllocationError(
            f'capacity "{name}": capacity request cannot be represented in the device\'s range arithmetic: '
            f"request {requested} is not a representable milli value"
        )
    return quantity.render(result, like=str(valid["step"]))


def _representable(value: Decimal) -> bool:
    milli = value * 1000
    return (milli == milli.to_integral_value() and milli <= _MAX) or (value == int(value) and value <= _MAX)


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
    return (amount - quantity.parse(str(valid["min"]))) % quantity.parse(str(valid["step"])) == 0
