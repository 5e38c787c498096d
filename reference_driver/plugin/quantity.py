"""Kubernetes quantities, as far as telling whether two of them are equal."""

import re
from decimal import Decimal

_QUANTITY = re.compile(r"([+-]?[0-9.]+)(?:([eE][+-]?[0-9]+)|([a-zA-Z]{0,2}))?")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


def amount(quantity: str | int) -> Decimal:
    """The value of a quantity such as 80Gi, 1500m or 1e3. Raises ValueError."""
    match = _QUANTITY.fullmatch(str(quantity))
    if not match:
        raise ValueError(f"not a quantity: {quantity!r}")
    number, exponent, suffix = match.groups()
    if exponent:
        return Decimal(number + exponent)
    if (suffix or "") in _DECIMAL:
        return Decimal(number).scaleb(_DECIMAL[suffix or ""])
    if suffix not in _BINARY:
        raise ValueError(f"unknown suffix {suffix!r} in quantity {quantity!r}")
    return Decimal(number) * Decimal(1 << _BINARY[suffix])
