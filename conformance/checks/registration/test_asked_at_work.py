"""A kubelet that has restarted asks who the driver is, which may be at work still for the kubelet before."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock

from conformance.check import check
from conformance.checks.again import until_good
from conformance.checks.deadline import missed
from conformance.checks.registration.test_registers import GET_INFO, LATE
from conformance.cluster import ClaimRef, Cluster, Node
from conformance.expect import Expect

ASKED = 2  # times; the first GetInfo may overtake the Prepare


@check(
    id="registration.asked_at_work",
    covers=("REG-03",),
    needs=("registration.registers", "preparation.repeat_same_devices", "unpreparing.cleans_up"),
    claims=1,
)
def test_asked_at_work(cluster: Cluster, node: Node, expect: Expect) -> None:
    """GetInfo is answered in time also while a claim is being prepared."""
    socket = node.wait_registered(cluster.target.driver_name)[-1].socket
    claim = cluster.apply("one_pod.yaml").pod("user").wait_running().claim("devices").ref
    asked = partial(asked_late, node, socket, claim, Lock())
    late = asked() and missed(cluster.backend, GET_INFO, asked)
    expect("REG-03").true(not late, f"GetInfo is answered within {GET_INFO:g} s while a claim is being prepared")


def asked_late(node: Node, socket: Path, claim: ClaimRef, turn: Lock) -> bool:
    """Whether GetInfo is too late that is asked while the claim is being prepared, one such try at a time."""
    with turn:
        until_good(lambda: node.unprepare(claim))
        with ThreadPoolExecutor(1) as pool:
            pool.submit(node.prepare, claim)
            return any(LATE in node.get_info(socket).error for _ in range(ASKED))
