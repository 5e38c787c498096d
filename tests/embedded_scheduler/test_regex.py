"""What patterns find, by the rules of Go and RE2."""

import pytest

from conformance.cluster.embedded.scheduler.expressions import regex
from conformance.cluster.embedded.scheduler.expressions.errors import EvaluationError


@pytest.mark.parametrize(
    ("text", "pattern", "found"),
    [
        ("gpu-12 gpu-7", "[0-9]+", ["12", "7"]),
        ("aéébb", "é+|b*", ["", "éé", "bb"]),
        ("ab", "", ["", "", ""]),
        ("none", "x", []),
    ],
)
def test_what_is_empty_right_behind_a_match_is_none(text: str, pattern: str, found: list[str]) -> None:
    assert regex.find_all(text, pattern) == found
    assert regex.find(text, pattern) == (found[0] if found else "")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(a*)*c"])
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    # Python's own engine would still be at it long after the time limit of tests.
    assert regex.find(f"{'a' * 60}b", pattern) == ""


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(EvaluationError, match=r"error parsing regexp: missing closing \): `\(`"):
        regex.find("a", "(")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\C", r"invalid escape sequence: `\C`"),
        (r"\\\C+", r"invalid escape sequence: `\C`"),
        ("(" * 1000 + ")" * 1000, "expression nests too deeply"),
    ],
)
def test_what_only_re2_has_is_refused(pattern: str, text: str) -> None:
    with pytest.raises(EvaluationError) as error:
        regex.check(pattern)
    assert f"error parsing regexp: {text}" in str(error.value)


@pytest.mark.parametrize("pattern", [r"\\C", r"\Q\C\E", r"\(" * 1001])
def test_what_only_looks_like_it_is_taken(pattern: str) -> None:
    regex.check(pattern)
