from decimal import Decimal
from itertools import pairwise

import pytest

from conformance.cluster.embedded.scheduler import quantity, semver
from conformance.cluster.embedded.scheduler.expressions import times
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("40Gi", 40 * 2**30),
        ("1k", 1000),
        ("500m", "0.5"),
        ("1e3", 1000),
        ("2E", 2 * 10**18),
        (".5", "0.5"),
        ("-1", -1),
        ("Gi", 0),
        ("16Ei", 2**63 - 1),
    ],
)
def test_a_quantity_has_an_exact_value(text: str, value: int | str) -> None:
    assert quantity.parse(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "1 Gi", "1gi", "0x1", "1.2.3", "NaN", "\N{ARABIC-INDIC DIGIT ONE}"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(quantity.QuantityError, match="quantities must match the regular expression"):
        quantity.parse(text)


def test_less_than_a_nano_is_rounded_away_from_zero() -> None:
    assert quantity.parse("0.1n") == Decimal("1e-9")
    assert quantity.parse("-0.1n") == Decimal("-1e-9")


@pytest.mark.parametrize(
    ("value", "like", "text"),
    [
        (2**31, "1Gi", "2Gi"),
        (1536 * 2**20, "1Gi", "1536Mi"),
        (4000, "1k", "4k"),
        ("0.5", "100m", "500m"),
        (7, "1", "7"),
    ],
)
def test_a_quantity_is_written_in_the_style_of_another(value: int | str, like: str, text: str) -> None:
    assert quantity.render(Decimal(value), like) == text


def test_versions_are_ordered_as_semver_says() -> None:
    texts = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.0.10"]
    versions = [semver.parse(text) for text in texts]
    assert all(low < high for low, high in pairwise(versions))


@pytest.mark.parametrize(
    "text", ["1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.\N{ARABIC-INDIC DIGIT ONE}"]
)
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(semver.SemverError):
        semver.parse(text)


def test_times_have_digits_of_ascii_only() -> None:
    with pytest.raises(EvaluationError):
        times.duration("\N{ARABIC-INDIC DIGIT ONE}s")
    with pytest.raises(EvaluationError):
        times.timestamp("2024-01-0\N{ARABIC-INDIC DIGIT ONE}T00:00:00Z")
