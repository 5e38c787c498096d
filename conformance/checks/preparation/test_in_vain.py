"""After all checks: whether pods did not run because the driver refused what it should not have."""

from conformance.check import check
from conformance.checks.preparation.test_every_answer import good_answers
from conformance.checks.preparation.vain import refused
from conformance.cluster import Node, need_calls
from conformance.expect import Expect
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive


@check(
    id="preparation.in_vain",
    covers=("RS-13",),
    needs=("preparation.one_claim",),
    at_end=True,
)
def test_in_vain(node: Node, history: History, target: Target, expect: Expect) -> None:
    """Over the whole run, no pod waited in vain for a valid claim that the driver refused again and again."""
    need_calls(node)
    if not any(good_answers(history, target.driver_name)):
        raise Inconclusive("the kubelet asked for no claim in this run, so there is nothing to look at")
    expect("RS-13").equal(refused(history, target), [], "what is published and free is prepared for every valid claim")
