"""Quantities are stored in Kubernetes' canonical form."""

import pytest

from conformance.cluster.embedded.apiserver.quantities import QuantityError, canonical, rounded, whole


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("1000k", "1M"),
        ("1024Ki", "1Mi"),
        ("1.5", "1500m"),
        ("1.5Gi", "1536Mi"),
        ("0.5Ki", "512"),
        ("1e4", "10e3"),
        ("1E3", "1E3"),
        ("0.1n", "1n"),
        ("999Ei", "9223372036854775807"),
        ("+5", "+5"),
        (".5", "500m"),
        ("-0", "0"),
    ],
)
def test_the_stored_form(given: str, stored: str) -> None:
    assert canonical(given) == stored


@pytest.mark.parametrize("text", ["", "x", "1 Gi", "Gi1", "--1", "12e", "1.1.1", "1gi", "\N{ARABIC-INDIC DIGIT ONE}"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(QuantityError):
        canonical(text)


def test_fractions_are_rounded_away_from_zero() -> None:
    assert [whole(text) for text in ("1500m", "-1500m", "2", "1n")] == [2, -2, 2, 1]
    assert [rounded(text) for text in ("1n", "100m", "0.0015")] == ["1m", "100m", "2m"]


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("1e999999999", "1e999999999"),
        ("1e999999998", "100e999999996"),
        ("1e-999999999", "1e-9"),
        ("9" * 5000, "9" * 5000),
        # Kubernetes forgets the exponent that it has no suffix for.
        ("1" + "0" * 22, "10"),
    ],
)
def test_large_amounts(given: str, stored: str) -> None:
    assert canonical(given) == stored
    assert (whole(given) >= 10**18) == (given != "1e-999999999")


def test_an_exponent_of_more_than_64_bits_is_refused() -> None:
    with pytest.raises(QuantityError, match="suffix"):
        canonical(f"1e{'9' * 5000}")
