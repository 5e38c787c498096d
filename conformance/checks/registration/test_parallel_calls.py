"""One connection carries everything that the kubelet asks, at the same time."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from conformance.check import check
from conformance.cluster import Answer, ClaimRef, Cluster, Node
from conformance.expect import Expect
from conformance.history import Event, History

CALLS = 8
ROUNDS = 4


@check(
    id="registration.parallel_calls",
    covers=("REG-21",),
    needs=("registration.advertised_services", "publishing.pool_complete", "unpreparing.unknown_claim"),
)
def test_parallel_calls(cluster: Cluster, node: Node, history: History, expect: Expect) -> None:
    """Calls made at once on one connection, beside a health stream if there is one, all get their own answers."""
    claims = [ClaimRef(cluster.namespace, f"never-prepared-{number}", str(uuid4())) for number in range(CALLS)]
    beside = " beside the health stream" if watches_health(history, cluster.target.driver_name) else ""
    with ThreadPoolExecutor(CALLS) as pool:
        answers = [answer for _ in range(ROUNDS) for answer in pool.map(node.unprepare, claims)]
    wrong = [text for text in map(why_wrong, answers) if text]
    expect("REG-21").equal(wrong, [], f"{CALLS} calls at once{beside} are all answered, each for its claim")


def why_wrong(answer: Answer) -> str:
    """What is wrong with the answer to a call for one claim: there is none, or it is that of another call."""
    (asked,) = answer.asked
    if answer.code != "OK":
        return answer.error
    return "" if answer.uids == [asked.uid] else f"{asked.name} got an answer for {answer.uids}"


def watches_health(history: History, driver: str) -> bool:
    """Whether the kubelet has a health stream of the driver open."""

    def watches(event: Event) -> bool:
        return (event["method"], event["driver"]) == ("NodeWatchResources", driver)

    last = history.last("rpc", watches)
    return last is not None and last["phase"] != "end"
