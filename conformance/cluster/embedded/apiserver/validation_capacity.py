"""Rules of a device's capacity and its request policy (consumable capacity)."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    required,
    too_many,
)

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_MAX_VALUES = 10


def _number(text: str) -> Decimal:
    # Not at the top: the scheduler's package imports the store.
    from conformance.cluster.embedded.scheduler import quantity

    return quantity.parse(text)


def validate_capacity(capacity: Row, shared: bool, field: str) -> Errors:
    """validateSingle/MultiAllocatableDeviceCapacity; `shared`: the device allows multiple allocations."""
    policy, place = capacity.get("requestPolicy"), f"{field}.requestPolicy"
    if policy is None:
        return
    values, bounds = policy.get("validValues"), policy.get("validRange")
    if not shared:
        yield forbidden(place, "allowMultipleAllocations must be true")
    elif values and bounds is not None:
        text = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
        yield forbidden(place, text)
    elif values:
        if "default" not in policy:
            yield required(f"{place}.default", "required when validValues is defined")
        else:
            yield from _values(values, policy["default"], capacity["value"], f"{place}.validValues")
    elif bounds is not None:
        if "default" not in policy:
            yield required(f"{place}.default", "required when validRange is defined")
        else:
            yield from _range(bounds, policy["default"], capacity["value"], f"{place}.validRange")


def _values(values: Sequence[str], default: str, value: str, field: str) -> Errors:
    numbers = [_number(text) for text in values]
    for index in range(1, len(values)):
        if numbers[index - 1] > numbers[index]:
            yield invalid(f"{field}[{index}]", values[index], "values must be sorted in ascending order")
    if len(values) > _MAX_VALUES:
        yield too_many(field, len(values), _MAX_VALUES)
    else:
        for index, number in enumerate(numbers):
            if number > _number(value):
                yield invalid(f"{field}[{index}]", values[index], f"option is larger than capacity value: {value}")
            if number in numbers[:index]:
                yield duplicate(f"{field}[{index}]", values[index])
    if _number(default) not in numbers:
        yield invalid(field, default, "default value is not valid according to the requestPolicy")


def _range(bounds: Row, default: str, value: str, field: str) -> Errors:
    if "min" not in bounds:
        yield required(f"{field}.min", "required when validRange is defined")
        return
    low, preset, whole = _number(bounds["min"]), _number(default), _number(value)
    if low > whole:
        yield invalid(f"{field}.min", bounds["min"], f"min is larger than capacity value: {value}")
    if preset < low:
        yield invalid(f"{field}.default", default, f"default is less than min: {bounds['min']}")
    if "max" in bounds:
        high = _number(bounds["max"])
        if low > high:
            yield invalid(f"{field}.max", bounds["min"], f"min is larger than max: {bounds['max']}")
        if high > whole:
            yield invalid(f"{field}.max", bounds["max"], f"max is larger than capacity value: {value}")
        if preset > high:
            yield invalid(f"{field}.default", default, f"default is more than max: {bounds['max']}")
    if "step" in bounds:
        yield from _step(bounds, default, value, field)


def _step(bounds: Row, default: str, value: str, field: str) -> Errors:
    low, step, place = _number(bounds["min"]), _number(bounds["step"]), f"{field}.step"
    if step <= 0:
        yield invalid(place, bounds["step"], "must be greater than zero")
        return
    if low + step > _number(value):
        text = f"one step {low + step} is larger than capacity value: {value}"
        yield invalid(place, bounds["step"], text)
    for text in filter(None, (default, bounds.get("max"))):
        if (_number(text) - low) % step:
            why = f"value is not a multiple of a given step ({bounds['step']}) from ({bounds['min']})"
            yield invalid(place, text, why)
