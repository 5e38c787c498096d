"""Text of drivers: storable, visible, bounded."""

import json
import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.redact import MASK
from conformance.report.text import MAX_CHARACTERS, MAX_ITEMS, MAX_LINE, duration, laid_out, plain, shown, visible
from conformance.verdict import Verdict


@dataclass
class Device:
    name: str
    pools: set[str]


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (Device("gpu-0", {"b", "a"}), {"name": "gpu-0", "pools": ["a", "b"]}),
        ((1, None, True), [1, None, True]),
        (b"\xffok", "\\xffok"),
        ("\udc80", "\\udc80"),
        (math.inf, "inf"),
        ({1: Verdict.PASS}, {"1": "PASS"}),
        ({"token": "hunter2"}, {"token": MASK}),
        (1j, "1j"),
    ],
)
def test_any_value_becomes_json(value: Any, stored: Any) -> None:
    assert plain(value) == stored
    assert type(plain(value)) is type(stored)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.sets(st.integers()),
    max_leaves=20,
)


@given(values)
def test_whatever_it_is_it_can_be_written_and_is_stable(value: Any) -> None:
    stored = plain(value)
    json.dumps(stored, allow_nan=False).encode("utf-8")
    assert plain(stored) == stored


def test_bounds() -> None:
    assert len(plain("x" * 10 * MAX_CHARACTERS)) <= MAX_CHARACTERS
    assert plain("x" * 10 * MAX_CHARACTERS).endswith("… (180100 more characters)")
    long = plain(list(range(5 * MAX_ITEMS)))
    assert len(long) == MAX_ITEMS
    assert long[-1] == "… 4001 more"
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    assert len(json.dumps(plain(deep))) < 1000


@given(st.text())
def test_visible_text_has_no_control_characters(text: str) -> None:
    assert all(c.isprintable() or c in "\n\t" or c.isspace() for c in visible(text))
    assert visible(visible(text)) == visible(text)


def test_values_are_shown_as_json_and_text_of_several_lines_as_it_is() -> None:
    assert shown("busy") == '"busy"'
    assert shown("") == '""'
    assert shown(None) == "null"
    assert shown(["gpu-0", "gpu-1"]) == '["gpu-0", "gpu-1"]'
    assert shown("first\nsecond\n") == "first\nsecond"
    assert shown({"devices": ["gpu-0"] * 20}).splitlines()[:2] == ["{", '  "devices": [']


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 ms"), (0.34, "340 ms"), (0.9996, "1.0 s"), (12.44, "12.4 s"), (59.96, "1 min 00 s"), (7384, "2 h 03 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


NESTED: list[Any] = [
    [],
    {},
    ["x" * 99, [], {}, None],
    {"a": {"b": ["long" * 30, {"c": None}]}, 'q"': "ä" * 120},
    [{"name" * 9: list(range(20)), "": {str(number): number for number in range(30)}}] * 3,
]


@pytest.mark.parametrize("value", NESTED)
def test_what_is_laid_out_over_lines_is_still_the_same_json(value: Any) -> None:
    assert json.loads(laid_out(value)) == value
    for line in laid_out(value).splitlines():
        assert len(line) <= MAX_LINE + 1 or not line.rstrip(",").endswith(("]", "}")), "only a text can be longer"


def test_what_fits_into_a_line_is_on_one() -> None:
    device = {"pool": "node-a", "device": "gpu-0", "cdi": ["vendor.example.com/gpu=one"]}
    assert shown([device] * 3).splitlines()[1] == f"  {json.dumps(device)},"
