"""After all checks: whether the driver kept claims that it should have given back."""

from conformance.check import check
from conformance.checks.unpreparing.vain import refused
from conformance.cluster import Node, need_calls
from conformance.expect import Expect
from conformance.history import History
from conformance.target import Target
from conformance.verdict import Inconclusive


@check(
    id="unpreparing.in_vain",
    covers=("UNP-07",),
    needs=("preparation.one_claim",),
    at_end=True,
)
def test_in_vain(node: Node, history: History, target: Target, expect: Expect) -> None:
    """Over the whole run, no claim stayed prepared because the driver refused again and again to unprepare it."""
    need_calls(node)
    if not any(history.events("rpc", lambda e: (e["phase"], e["method"]) == ("end", "NodeUnprepareResources"))):
        raise Inconclusive("the kubelet gave no claim back in this run, so there is nothing to look at")
    expect("UNP-07").equal(refused(history, target.driver_name), [], "a claim that is not used any more is unprepared")
