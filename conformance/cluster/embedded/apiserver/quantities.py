"""Resource quantities as the API server writes them (k8s.io/apimachinery/pkg/api/resource/quantity.go)."""

import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_UP, Context, Decimal
from functools import lru_cache

PATTERN = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
WRONG_FORM = f"quantities must match the regular expression '{PATTERN}'"
WRONG_SUFFIX = "unable to parse quantity's suffix"

_PARTS = re.compile(r"([+-]?)(\d*)(\.?)(\d*)([eEinumkKMGTP]*[-+]?\d*)", re.ASCII)
_EXPONENT = re.compile(r"[eE]([+-]?)0*(\d+)", re.ASCII)
# More digits than a body can have, and all exponents.
_EXACT = Context(prec=4_000_000, Emax=MAX_EMAX, Emin=MIN_EMIN)
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SUFFIX = {exponent: name for name, exponent in _DECIMAL.items()}
_NANO, _MILLI = Decimal("1e-9"), Decimal("1e-3")
_MOST = Decimal(2**63 - 1)
_FAST_DIGITS = 18
MOST_EXPONENT = 100_000
"""What is larger counts as this: it can still be computed with, and no amount comes near it."""


class QuantityError(ValueError):
    """A text that is no quantity."""


@lru_cache(maxsize=8192)
def _read(text: str) -> tuple[Decimal, str, str]:
    """The value, how it is written (binary, decimal or exponent) and the text that it keeps, "" for a canonical one."""
    if text == "0":
        return Decimal(0), "decimal", "0"
    match = _PARTS.fullmatch(text) if text else None
    if match is None:
        raise QuantityError(WRONG_FORM)
    sign, whole, _, fraction, suffix = match.groups()
    digits = whole.lstrip("0") + fraction
    number = _EXACT.scaleb(Decimal(digits or 0), -len(fraction))
    if suffix in _BINARY:
        value, form = _EXACT.multiply(number, Decimal(2 ** _BINARY[suffix])), "binary"
        kept = _kept_binary(whole.lstrip("0"), fraction, _BINARY[suffix])
    else:
        exponent, form = _power(suffix)
        value = _EXACT.scaleb(number, min(exponent, MOST_EXPONENT))
        kept = _kept_decimal(whole.lstrip("0") or "0", fraction, exponent)
        if exponent > MOST_EXPONENT and not kept:
            return (-value if sign == "-" else value), form, sign + written(_EXACT.scaleb(number, exponent), form)
    if value != value.to_integral_value(context=_EXACT):
        value = value.quantize(_NANO, ROUND_UP, _EXACT)
    if form == "binary":
        value = min(value, _MOST)
    if form == "binary" and 0 < value < 1:
        form = "decimal"
    return (-value if sign == "-" else value), form, text if kept else ""


def _power(suffix: str) -> tuple[int, str]:
    if suffix in _DECIMAL:
        return _DECIMAL[suffix], "decimal"
    exponent = exponent_of(suffix)
    if exponent is None:
        raise QuantityError(WRONG_SUFFIX)
    return exponent, "exponent"


def exponent_of(suffix: str) -> int | None:
    """The exponent of a suffix such as e3, cut to 32 bits as Kubernetes does; None for one that is no int64."""
    match = _EXPONENT.fullmatch(suffix)
    if match is None or len(match[2]) > len(str(_MOST)):
        return None
    exponent = int(match[1] + match[2])
    if not -(2**63) <= exponent < 2**63:
        return None
    return (exponent + 2**31) % 2**32 - 2**31


def _kept_binary(whole: str, fraction: str, power: int) -> bool:
    """Whether the text is as it would be written: an odd number of small units."""
    fast = not fraction and 15 - len(whole or "0") - int(power * 3 / 10) - 1 >= 0
    return fast and bool(int(whole or 0) & 7)


def _kept_decimal(whole: str, fraction: str, exponent: int) -> bool:
    shifted, scale = whole + fraction, exponent - len(fraction)
    fast = len(shifted) <= _FAST_DIGITS and scale >= -9
    return fast and scale % 3 == 0 and not shifted.endswith("000") and shifted[0] != "0"


def value_of(text: str) -> Decimal:
    """The exact value, away from zero in nano units. Raises QuantityError."""
    return _read(text)[0]


def whole(text: str) -> int:
    """The value as an integer, rounded away from zero (Quantity.Value)."""
    value = value_of(text)
    return int(value.to_integral_value(ROUND_CEILING if value > 0 else ROUND_FLOOR, _EXACT))


def is_whole(text: str) -> bool:
    """Whether there is nothing after the point."""
    value = value_of(text)
    return value == value.to_integral_value(context=_EXACT)


def plain(text: str) -> str:
    """The number without a suffix, with as many decimals as it was given with (Quantity.AsDec)."""
    _, __, kept = _read(text)
    match = _PARTS.fullmatch(kept or text)
    value, places = value_of(text), 0
    if match is not None and match[5] not in _BINARY:
        places = max(0, len(match[4]) - _power(match[5])[0])
    return f"{value:.{places}f}"


def canonical(text: str) -> str:
    """How the quantity is stored and shown (Quantity.String). Raises QuantityError."""
    value, form, kept = _read(text)
    return kept or written(value, form)


def written(value: Decimal, form: str) -> str:
    """A value in canonical form: "binary", "decimal" or "exponent"."""
    if value == 0:
        return "0"
    whole_number = value == value.to_integral_value(context=_EXACT)
    if form == "binary" and abs(value) >= 1024 and whole_number:
        number, power = int(value), 0
        while number % 1024 == 0:
            number, power = number // 1024, power + 10
        return f"{number}{next((name for name, exponent in _BINARY.items() if exponent == power), '')}"
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits))
    kept = text.rstrip("0")
    scale = int(exponent) + len(text) - len(kept)
    amount, scale = kept + "0" * (scale % 3), scale - scale % 3
    suffix = (f"e{scale}" if scale else "") if form == "exponent" else _SUFFIX.get(scale, "")
    return f"{'-' if sign else ''}{amount}{suffix}"


def add(left: str, right: str) -> str:
    """The sum, written as the left one is."""
    return written(value_of(left) + value_of(right), _read(left)[1])


def rounded(text: str) -> str:
    """Away from zero to a thousandth, as amounts of resources are (Quantity.RoundUp)."""
    value, form, _ = _read(text)
    if not _EXACT.remainder(value, _MILLI):
        return text
    return written(value.quantize(_MILLI, ROUND_UP, _EXACT), form)
