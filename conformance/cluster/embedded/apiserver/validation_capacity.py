"""Rules of a device's capacity and its request policy (consumable capacity)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver.field_errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    required,
    too_many,
)
from conformance.cluster.embedded.apiserver.quantities import add, canonical, value_of, whole

Errors = Iterator[FieldError]
Row = Mapping[str, Any]

_MAX_VALUES = 10
_MOST = 2**63 - 1


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
            yield from _values(values, policy["default"], capacity.get("value", "0"), f"{place}.validValues")
    elif bounds is not None:
        if "default" not in policy:
            yield required(f"{place}.default", "required when validRange is defined")
        else:
            yield from _range(bounds, policy["default"], capacity.get("value", "0"), f"{place}.validRange")


def _values(values: Sequence[str], default: str, value: str, field: str) -> Errors:
    numbers = [value_of(text) for text in values]
    for index in range(1, len(values)):
        if numbers[index - 1] > numbers[index]:
            yield invalid(f"{field}[{index}]", canonical(values[index]), "values must be sorted in ascending order")
    if len(values) > _MAX_VALUES:
        yield too_many(field, len(values), _MAX_VALUES)
    else:
        yield from _options(values, value, field)
    if len(values) > _MAX_VALUES or value_of(default) not in numbers:
        yield invalid(field, canonical(default), "default value is not valid according to the requestPolicy")


def _options(values: Sequence[str], value: str, field: str) -> Errors:
    for index, text in enumerate(values):
        if value_of(text) > value_of(value):
            why = f"option is larger than capacity value: {canonical(value)}"
            yield invalid(f"{field}[{index}]", canonical(text), why)
    wholes = [whole(text) for text in values]
    for index, number in enumerate(wholes):
        if number in wholes[:index]:
            yield duplicate(f"{field}[{index}]", str(number))


def _range(bounds: Row, default: str, value: str, field: str) -> Errors:
    if "min" not in bounds:
        yield required(f"{field}.min", "required when validRange is defined")
        return
    low, low_text, most = value_of(bounds["min"]), canonical(bounds["min"]), canonical(value)
    if low > value_of(value):
        yield invalid(f"{field}.min", low_text, f"min is larger than capacity value: {most}")
    if value_of(default) < low:
        yield invalid(f"{field}.default", canonical(default), f"default is less than min: {low_text}")
    if "max" in bounds:
        high, high_text = value_of(bounds["max"]), canonical(bounds["max"])
        if low > high:
            yield invalid(f"{field}.max", low_text, f"min is larger than max: {high_text}")
        if high > value_of(value):
            yield invalid(f"{field}.max", high_text, f"max is larger than capacity value: {most}")
        if value_of(default) > high:
            yield invalid(f"{field}.default", canonical(default), f"default is more than max: {high_text}")
    if "step" in bounds:
        yield from _step(bounds, default, value, field)


def _step(bounds: Row, default: str, value: str, field: str) -> Errors:
    """Steps are counted in whole numbers: fractions are rounded up first."""
    low, step, place = bounds["min"], bounds["step"], f"{field}.step"
    if value_of(step) <= 0:
        yield invalid(place, canonical(step), "must be greater than zero")
        return
    if value_of(low) + value_of(step) > value_of(value):
        text = f"one step {add(low, step)} is larger than capacity value: {canonical(value)}"
        yield invalid(place, canonical(step), text)
    numbers = {"default": default, **{key: bounds[key] for key in ("min", "max", "step") if key in bounds}}
    beyond = [error for key, text in numbers.items() for error in _countable(text, f"{field}.{key}")]
    if beyond:
        yield from beyond
        return
    for text in filter(None, (default, bounds.get("max"))):
        if (whole(text) - whole(low)) % whole(step):
            why = f"value is not a multiple of a given step ({canonical(step)}) from ({canonical(low)})"
            yield invalid(place, canonical(text), why)


def _countable(text: str, field: str) -> Errors:
    if value_of(text) < 0:
        yield invalid(field, canonical(text), "must be greater than or equal to 0")
    elif value_of(text) > _MOST:
        yield invalid(field, canonical(text), f"must not be larger than {_MOST}")
