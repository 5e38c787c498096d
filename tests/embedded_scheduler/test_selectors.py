"""Drawn expressions are taken, refused and evaluated as Kubernetes' own CEL did when it was asked."""

import json
from typing import Any

from conformance.cluster.embedded.scheduler import cel
from conformance.cluster.embedded.scheduler.cel import CelError, DeviceView
from conformance.cluster.embedded.scheduler.expressions import CompileError, compile_expression
from tests.embedded_scheduler.oracle.selectors import DEVICE, RECORDED

ROWS = [json.loads(line) for line in RECORDED.read_text().splitlines()]
VIEW = DeviceView.of("d", DEVICE)


def answer(expression: str) -> dict[str, Any]:
    """Ours, in the shape of the recorded ones."""
    found: dict[str, Any] = {"expression": expression}
    try:
        found["cost"] = str(compile_expression(expression, stored=False).cost)
    except CompileError as error:
        found["refused"] = str(error)
    if int(found.get("cost", 0)) > 1_000_000:
        return found
    try:
        found["result"] = cel.compile(expression).matches(VIEW)
    except CelError as error:
        found["error"] = str(error)
    return found


def test_the_answers_are_those_of_kubernetes() -> None:
    different = [(ours, row) for row in ROWS if (ours := answer(row["expression"])) != row]
    assert different == []


def test_expressions_of_all_sorts_are_recorded() -> None:
    taken = [row for row in ROWS if "cost" in row]
    costly = [row for row in taken if int(row["cost"]) > 1_000_000]
    refused = [row for row in ROWS if "refused" in row]
    assert len(taken) > 100
    assert len(costly) > 10
    assert len(refused) > 50
    assert {row.get("result") for row in taken} == {True, False, None}
