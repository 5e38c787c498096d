"""After all checks: no claim left anything behind."""

from conformance.check import check
from conformance.cluster import Node, need_calls
from conformance.expect import Expect
from conformance.history import History
from conformance.verdict import Inconclusive


@check(
    id="unpreparing.nothing_left",
    covers=("UNP-07",),
    needs=("unpreparing.cleans_up", "restart.recovers"),
    at_end=True,
)
def test_nothing_left(node: Node, history: History, expect: Expect) -> None:
    """Over the whole run, no CDI device outlived the claim that it was made for."""
    need_calls(node)
    done = [e for e in history.events("rpc") if e["phase"] == "end" and e["method"] == "NodeUnprepareResources"]
    if not done:
        raise Inconclusive("nothing was unprepared in this run, so there is nothing to look at")
    leaks = [f"{e['check']}: {e['what']} {e['where']}" for e in history.events("leak", lambda e: e["what"] == "cdi")]
    expect("UNP-07").equal(leaks, [], "no CDI device is left of a claim that is gone")
