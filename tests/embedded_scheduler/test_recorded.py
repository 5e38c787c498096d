"""Our allocator gives the answers that Kubernetes 1.37.2 gave (oracle/record.py asked it)."""

import json

import pytest

from tests.embedded_scheduler.oracle.record import RECORDED, comparable, ours, outcome

ROWS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_the_answer_is_that_of_kubernetes(number: int) -> None:
    row = ROWS[number]
    assert comparable(ours(row["problem"])) == row["answer"]


def test_all_outcomes_are_there() -> None:
    outcomes = {outcome(row["answer"]) for row in ROWS}
    assert {"solved", "no solution", "invalid resource pools were encountered"} <= outcomes
    assert any("no such key" in json.dumps(row["answer"]) for row in ROWS)
    assert any("asks for all devices" in text for text in outcomes)
