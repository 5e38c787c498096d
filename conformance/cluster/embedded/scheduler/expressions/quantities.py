"""Functions of quantities (apiserver/pkg/cel/library/quantity.go)."""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from conformance.cluster.embedded.apiserver.quantities import exponent_of
from conformance.cluster.embedded.scheduler import quantity
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError
from conformance.cluster.embedded.scheduler.expressions.values import MAX_INT, MIN_INT, Quantity

_PARTS = re.compile(r"[+-]?(?P<whole>\d*)(?:\.(?P<fraction>\d*))?(?P<suffix>[A-Za-z]*[-+]?\d*)", re.ASCII)
_EXPONENTS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


@lru_cache(maxsize=4096)
def read(text: str) -> Quantity:
    """The quantity that a text is. Raises EvaluationError."""
    try:
        return Quantity(quantity.parse(text), _scale(text))
    except quantity.QuantityError as error:
        raise EvaluationError(str(error)) from None


def _scale(text: str) -> int | None:
    """The scale of a quantity that has been read (ParseQuantity of apimachinery's resource package)."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return None
    whole, fraction, suffix = parts["whole"].lstrip("0") or "0", parts["fraction"] or "", parts["suffix"]
    if suffix.endswith("i"):
        exponent = 10 * (1 + "KMGTPE".index(suffix[0]))
        short = not fraction and 15 - len(whole) - int(exponent * 0.3) - 1 >= 0
        return 0 if short else None
    exponent = _EXPONENTS[suffix] if suffix in _EXPONENTS else exponent_of(suffix) or 0
    scale = exponent - len(fraction)
    return scale if 18 - len(whole) - len(fraction) >= 0 and scale >= -9 else None


def _is_quantity(text: str) -> bool:
    try:
        quantity.parse(text)
    except quantity.QuantityError:
        return False
    return True


def _is_integer(value: Quantity) -> bool:
    # Kubernetes does not look for factors of ten: 1000m is no integer to it.
    return value.scale is not None and value.scale >= 0 and abs(value.number) <= MAX_INT


def _as_integer(value: Quantity) -> int:
    if not _is_integer(value):
        raise EvaluationError("cannot convert value to integer")
    return int(value.number)


def _sign(number: Decimal) -> int:
    return (number > 0) - (number < 0)


def _sum(one: Quantity, other: Quantity, sign: int) -> Quantity:
    if other.scale is not None and other.number.scaleb(-other.scale) == MIN_INT:
        # Its opposite is itself, in 64 bits.
        sign = 1
    number = one.number + sign * other.number
    if not one.number or not other.number:
        scale = other.scale if not one.number else one.scale
    else:
        scale = None if one.scale is None or other.scale is None else min(one.scale, other.scale)
    if scale is not None and abs(number.scaleb(-scale)) > MAX_INT:
        scale = None
    return Quantity(number, scale, computed=True)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "string_to_quantity": read,
    "is_quantity_string": _is_quantity,
    "quantity_sign": lambda value: _sign(value.number),
    "quantity_is_greater_than": lambda one, other: one.number > other.number,
    "quantity_is_less_than": lambda one, other: one.number < other.number,
    "quantity_compare_to": lambda one, other: _sign(one.number - other.number),
    "quantity_get_float": lambda value: float(value.number),
    "quantity_get_int": _as_integer,
    "quantity_is_integer": _is_integer,
    "quantity_add": lambda one, other: _sum(one, other, 1),
    "quantity_add_int": lambda one, other: _sum(one, Quantity(Decimal(other)), 1),
    "quantity_sub": lambda one, other: _sum(one, other, -1),
    "quantity_sub_int": lambda one, other: _sum(one, Quantity(Decimal(other)), -1),
}
