"""Pods start and end at the same time, and so come the calls for their claims."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from conformance.check import check
from conformance.checks.again import until_good
from conformance.cluster import Answer, Claim, ClaimRef, Cluster, Installation, Node, Shared
from conformance.expect import Expect
from conformance.verdict import Inconclusive

MOST = 10
TURNS = 2


@check(
    id="preparation.at_once",
    covers=("PREP-30",),
    needs=("injection.two_claims", "preparation.batch", "preparation.repeat_same_devices", "unpreparing.cleans_up"),
    claims=2,
)
def test_at_once(cluster: Cluster, node: Node, driver: Installation, expect: Expect) -> None:
    """As many claims as the node holds, at most ten, are prepared and unprepared at once, each as if it were alone."""
    names = [f"user-{number}" for number in range(how_many(cluster))]
    pods = [cluster.apply("one_pod.yaml", name=name).pod(name) for name in names]
    for pod in pods:
        answer = pod.wait_prepared("devices")
        expect("PREP-30").equal(answer.error, "", f"the claim of pod {pod.name} of {len(pods)} is prepared")
        strange = not_of(pod.claim("devices"), driver.target.driver_name, answer)
        expect("PREP-30").equal(strange, [], f"the claim of pod {pod.name} gets devices of its own")
    claims = [pod.wait_running().claim("devices") for pod in pods]
    with ThreadPoolExecutor(len(claims)) as threads:
        given = list(threads.map(partial(in_turns, node), [claim.ref for claim in claims]))
    for claim, answers in zip(claims, given, strict=True):
        errors = [f"{answer.method}: {answer.error}" for answer in answers if answer.error]
        expect("PREP-30").equal(errors, [], f"each of {len(claims)} claims is unprepared and prepared at once")
        answer = answers[-1]
        strange = not_of(claim, driver.target.driver_name, answer)
        expect("PREP-30").equal(strange, [], f"claim {claim.name} has kept devices of its own")
        lost = node.cdi.unresolved(answer.cdi_ids)
        expect("PREP-30").equal(lost, [], f"the CDI ids of claim {claim.name} are all in specs")


def how_many(cluster: Cluster) -> int:
    """How many claims fit the node at once, beside those of others; ten at most."""
    most = min(MOST, cluster.target.claims_per_node)
    return min(most, cluster.backend.claims_free(cluster.target)) if isinstance(cluster.backend, Shared) else most


def in_turns(node: Node, claim: ClaimRef) -> list[Answer]:
    """Unprepare and prepare a prepared claim, and again. Raises Inconclusive when a call takes too long.

    A driver may put the calls in a row, and nothing says how many of them must come to an end in time.
    """
    calls = (partial(node.unprepare, claim), partial(node.prepare, claim)) * TURNS
    answers = [until_good(call) for call in calls]
    if any(answer.code == "DEADLINE_EXCEEDED" for answer in answers):
        raise Inconclusive(f"with many calls at once, one for claim {claim.name} did not end within 45 s")
    return answers


def not_of(claim: Claim, driver: str, answer: Answer) -> Iterable[str]:
    """Devices of an answer that are not allocated to the claim, as pool/device."""
    own = {(row.pool, row.device) for row in claim.devices(driver)}
    given = [(device.pool_name, device.device_name) for device in answer.devices]
    return sorted(f"{pool}/{device}" for pool, device in given if (pool, device) not in own)
