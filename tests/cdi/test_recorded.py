"""Our CDI gives the answers that the library of container runtimes gave (oracle/record.py asked it)."""

import json

import pytest

from tests.cdi.oracle.record import RECORDED, agree, outcome

ROWS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_the_answer_is_that_of_the_library(number: int) -> None:
    assert agree(ROWS[number]["problem"], ROWS[number]["answer"])


def test_all_outcomes_are_there() -> None:
    kinds = " ".join(kind for row in ROWS for kind in outcome(row["answer"]))
    for text in ("container with rules", "container with intelRdt", "unresolvable", "conflicting device", "panic"):
        assert text in kinds
    for text in ("spec version must be at least", "field", "cannot unmarshal", "already defined", "multiple device"):
        assert text in kinds
