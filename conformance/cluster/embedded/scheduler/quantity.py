"""Kubernetes quantities: exact decimal numbers with a suffix, such as `40Gi`, `500m` or `1e3`."""

import re
from decimal import ROUND_UP, Context, Decimal
from functools import lru_cache

from conformance.cluster.embedded.apiserver.quantities import MOST_EXPONENT, exponent_of

SYNTAX = r"^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
# What is really accepted is more: the number may be missing, and is zero then.
_PARTS = re.compile(r"(?P<sign>[+-]?)(?P<number>\d*(?:\.\d*)?)(?P<suffix>[eEinumkKMGTP]*[-+]?\d*)", re.ASCII)
_EXACT = Context(prec=4_000_000)  # more digits than a body can have
_NANO = Decimal("1e-9")
_MOST_BINARY = Decimal(2**63 - 1)
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


class QuantityError(ValueError):
    """A text that is not a quantity."""


@lru_cache(maxsize=4096)
def parse(text: str) -> Decimal:
    """The exact value of a quantity, rounded away from zero to nano units as Kubernetes does. Raises QuantityError.

    Source: ParseQuantity in apimachinery/pkg/api/resource/quantity.go.
    """
    match = _PARTS.fullmatch(text) if text else None
    if not match:
        raise QuantityError(f"quantities must match the regular expression '{SYNTAX}'")
    digits = match["number"].strip(".") and match["number"]
    value = _scaled(Decimal(digits or 0), match["suffix"])
    if value != value.to_integral_value():
        value = value.quantize(_NANO, ROUND_UP, _EXACT)
    return -value if match["sign"] == "-" else value


def _scaled(number: Decimal, suffix: str) -> Decimal:
    if suffix in _BINARY:
        return min(_EXACT.multiply(number, Decimal(1024 ** _BINARY[suffix])), _MOST_BINARY)
    if suffix in _DECIMAL:
        return _EXACT.scaleb(number, _DECIMAL[suffix])
    exponent = exponent_of(suffix)
    if exponent is None:
        raise QuantityError("unable to parse quantity's suffix")
    return _EXACT.scaleb(number, max(-MOST_EXPONENT, min(exponent, MOST_EXPONENT)))


def plain(value: Decimal) -> str:
    """One text for one value: no exponent, no trailing zeros."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def render(value: Decimal, like: str) -> str:
    """The value as Kubernetes prints it, with binary suffixes if `like` has one.

    Source: String of apimachinery's resource.Quantity.
    """
    binary = like.endswith("i") and abs(value) >= 1024 and value == value.to_integral_value()
    if binary:
        number, power = int(value), 0
        while number % 1024 == 0 and power < 6 and number:
            number, power = number // 1024, power + 1
        return f"{number}{next((s for s, p in _BINARY.items() if p == power), '')}"
    for suffix, exponent in sorted(_DECIMAL.items(), key=lambda item: -item[1]):
        scaled = _EXACT.scaleb(value, -exponent)
        if scaled == scaled.to_integral_value() and scaled != 0:
            return f"{scaled.to_integral_value():f}{suffix}"
    return plain(value)
